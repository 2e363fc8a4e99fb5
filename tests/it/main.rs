//! Runs the real binary under mpirun on real directories.

mod harness;
