//! Faults that the tests ask for, in builds with debug assertions only.

/// Panics on the task whose rank `MDTEST_RS_PANIC_RANK` names, to show that a panic ends all tasks.
pub fn panic_if_asked(rank: u64) {
    if cfg!(debug_assertions) && std::env::var("MDTEST_RS_PANIC_RANK").is_ok_and(|r| r == rank.to_string()) {
        panic!("a panic that MDTEST_RS_PANIC_RANK asked for");
    }
}
