//! mdtest-rs: see the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    let code = mdtest_rs::run(&std::env::args_os().collect::<Vec<_>>());
    ExitCode::from(u8::try_from(code).unwrap_or(u8::MAX))
}
