//! Contains no code. Its dependencies give every shared crate one feature set, so that cargo compiles each of them once.
