//! Runs over numbers of clients and of tasks on each.
