//! Holds no code: its dependencies give every shared crate one feature set, so that cargo compiles each of them once.
