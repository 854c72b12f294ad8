//! Runs the program and reads its output.
#![allow(dead_code)]

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

pub fn glean(library: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    command.arg("--library").arg(library).args(words).stdin(Stdio::null()).output().unwrap()
}

/// Returns standard output and standard error.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Parses the output as JSON; fails unless the exit status is 0.
pub fn json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", text(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs the program and returns its exit status and output.
pub fn run(library: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = glean(library, words);
    (output.status.code(), text(&output))
}
