//! The real program, and what it says.
#![allow(dead_code)]

use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

pub fn glean(library: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    command.arg("--library").arg(library).args(words).stdin(Stdio::null()).output().unwrap()
}

/// All that was said.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// What was said as JSON, once it was done.
pub fn json(output: &Output) -> serde_json::Value {
    assert!(output.status.success(), "{}", text(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The exit status, and all that was said.
pub fn told(library: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = glean(library, words);
    (output.status.code(), text(&output))
}
