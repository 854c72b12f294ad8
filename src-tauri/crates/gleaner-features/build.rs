//! Does nothing: cargo resolves build dependencies only for a package that has a build script.

fn main() {}
