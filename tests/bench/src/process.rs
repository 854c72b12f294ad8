//! Runs `glean` and measures it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::{Duration, Instant},
};
use tokio::process::Command;

/// Measurements of a run.
pub struct Ran {
    /// Wall-clock time in seconds.
    pub wall: f64,
    /// Processor time of all cores in seconds.
    pub cpu: f64,
    /// Maximum resident memory.
    pub peak_megabytes: f64,
}

/// Returns the path of a release build: from the environment, or where cargo puts it.
pub fn program(variable: &str, name: &str) -> PathBuf {
    let built = || std::env::current_exe().unwrap().with_file_name(name);
    std::env::var_os(variable).map_or_else(built, PathBuf::from)
}

/// Clock ticks per second in /proc, the same on all usual Linux systems.
const TICKS: f64 = 100.0;

/// Returns the processor time of a process so far, in seconds.
pub fn cpu(pid: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after = stat.rsplit_once(") ")?.1;
    let ticks: f64 = after.split(' ').skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum();
    Some(ticks / TICKS)
}

fn peak(pid: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1000.0)
}

/// Runs `glean` on a library.
pub async fn run(library: &Path, words: &[&str]) -> Ran {
    let (ran, status) = run_with_status(library, words).await;
    assert!(status.success(), "glean {words:?} failed");
    ran
}

/// Runs `glean` on a library, and accepts an exit status for errors of feeds.
pub async fn run_to_any_end(library: &Path, words: &[&str]) -> Ran {
    let (ran, status) = run_with_status(library, words).await;
    assert!(status.code().is_some_and(|code| code <= 1), "glean {words:?} failed: {status}");
    ran
}

async fn run_with_status(library: &Path, words: &[&str]) -> (Ran, ExitStatus) {
    let started = Instant::now();
    let mut child = Command::new(program("GLEANER_GLEAN", "glean"))
        .arg("--library")
        .arg(library)
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("glean is built for release");
    let pid = child.id().unwrap();
    let mut ran = Ran { wall: 0.0, cpu: 0.0, peak_megabytes: 0.0 };
    loop {
        ran.cpu = cpu(pid).unwrap_or(ran.cpu);
        ran.peak_megabytes = peak(pid).unwrap_or(ran.peak_megabytes);
        match tokio::time::timeout(Duration::from_millis(5), child.wait()).await {
            Ok(status) => {
                ran.wall = started.elapsed().as_secs_f64();
                return (ran, status.unwrap());
            }
            Err(_still_running) => {}
        }
    }
}
