//! Runs the program and reads its output.
#![allow(dead_code)]

use gleaner_testserver::{Reply, Request};
use std::{
    path::Path,
    process::{Child, Command, Output, Stdio},
};

pub fn glean(library: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_glean"));
    command.arg("--library").arg(library).args(words).stdin(Stdio::null()).output().unwrap()
}

/// Returns standard output and standard error.
pub fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Sends what Ctrl-C sends.
pub fn interrupt(program: &Child) {
    assert!(Command::new("kill").args(["-INT", &program.id().to_string()]).status().unwrap().success());
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

/// Answers with a file or the requested part of it.
pub fn range(request: &Request, file: &[u8]) -> Reply {
    let from = request.header("Range").map(|range| {
        std::str::from_utf8(range).unwrap().trim_start_matches("bytes=").trim_end_matches('-').parse::<usize>().unwrap()
    });
    let reply = match from {
        None => Reply::ok(file),
        Some(from) => {
            let range = format!("bytes {from}-{}/{}", file.len() - 1, file.len());
            Reply::status(206).body(&file[from..]).header("Content-Range", range)
        }
    };
    reply.header("ETag", "\"one\"")
}
