//! Records the changes that SQLite makes to the files of a folder, and makes calls fail.

use parking_lot::{Mutex, MutexGuard};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// A call of SQLite to the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// Opens a file.
    Open,
    /// Reads bytes.
    Read,
    /// Writes bytes.
    Write,
    /// Syncs a file.
    Sync,
    /// Truncates a file.
    Truncate,
    /// Locks the file or its shared memory.
    Lock,
}

/// A call that fails.
#[derive(Debug, Clone, Copy)]
pub struct Problem {
    /// The kind of call.
    pub call: Call,
    /// Number of calls of this kind that succeed before one fails.
    pub at: usize,
    /// Whether all later calls fail, too.
    pub lasting: bool,
    /// SQLite's error code.
    pub code: i32,
}

/// A change of the disk, or a guarantee about it.
#[derive(Debug, Clone)]
pub enum Event {
    /// A file that existed before, complete and synced.
    Found {
        /// Its number; a file that is deleted and created again has another one.
        file: u32,
        /// Its path.
        path: PathBuf,
        /// Its contents.
        bytes: Vec<u8>,
    },
    /// A new, empty file.
    Made {
        /// Its number.
        file: u32,
        /// Its path.
        path: PathBuf,
    },
    /// A file's name was removed.
    Deleted {
        /// Its path.
        path: PathBuf,
        /// The folder was synced.
        synced: bool,
    },
    /// Bytes were passed to the system.
    Written {
        /// The file's number.
        file: u32,
        /// Offset of the first byte.
        at: usize,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A file was truncated or extended.
    Cut {
        /// The file's number.
        file: u32,
        /// The length in bytes.
        length: usize,
    },
    /// Everything written to the file so far is stored, and so is its name.
    Synced {
        /// The file's number.
        file: u32,
    },
    /// Number of changes acknowledged so far.
    Acknowledged(usize),
}

#[derive(Debug, Default)]
struct Seen {
    recording: bool,
    events: Vec<Event>,
    files: BTreeMap<PathBuf, u32>,
    made: u32,
    problem: Option<Problem>,
    struck: usize,
    calls: BTreeMap<u8, usize>,
}

/// A watched folder.
#[derive(Debug)]
pub struct Watch {
    pub(crate) folder: PathBuf,
    seen: Mutex<Seen>,
}

impl Watch {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), seen: Mutex::default() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock()
    }

    /// Starts to record.
    pub fn record(&self) {
        self.seen().recording = true;
    }

    /// Records the number of changes acknowledged so far.
    pub fn acknowledge(&self, things: usize) {
        self.seen().events.push(Event::Acknowledged(things));
    }

    /// Returns the events so far.
    pub fn events(&self) -> Vec<Event> {
        std::mem::take(&mut self.seen().events)
    }

    /// Returns the number of calls of a kind.
    pub fn calls(&self, call: Call) -> usize {
        self.seen().calls.get(&(call as u8)).copied().unwrap_or(0)
    }

    /// Sets the calls that fail, or stops failures. Returns how often calls have failed since the last call of this function.
    pub fn problem(&self, problem: Option<Problem>) -> usize {
        let mut seen = self.seen();
        seen.problem = problem;
        std::mem::take(&mut seen.struck)
    }

    /// Counts a call, and returns an error code if it has to fail.
    pub(crate) fn strike(&self, call: Call) -> Option<i32> {
        let mut seen = self.seen();
        *seen.calls.entry(call as u8).or_default() += 1;
        let problem = seen.problem.as_mut().filter(|problem| problem.call == call)?;
        if problem.at > 0 {
            problem.at -= 1;
            return None;
        }
        let (code, lasting) = (problem.code, problem.lasting);
        if !lasting {
            seen.problem = None;
        }
        seen.struck += 1;
        Some(code)
    }

    /// Returns the number of an opened file. `before`: whether it existed before.
    pub(crate) fn opened(&self, path: &Path, before: bool) -> u32 {
        let mut seen = self.seen();
        if let Some(file) = seen.files.get(path) {
            return *file;
        }
        seen.made += 1;
        let file = seen.made;
        seen.files.insert(path.to_owned(), file);
        if seen.recording {
            let path = path.to_owned();
            let event = if before {
                Event::Found { file, bytes: std::fs::read(&path).unwrap_or_default(), path }
            } else {
                Event::Made { file, path }
            };
            seen.events.push(event);
        }
        file
    }

    pub(crate) fn deleted(&self, path: &Path, synced: bool) {
        let mut seen = self.seen();
        if seen.files.remove(path).is_some() && seen.recording {
            seen.events.push(Event::Deleted { path: path.to_owned(), synced });
        }
    }

    pub(crate) fn happened(&self, event: impl FnOnce() -> Event) {
        let mut seen = self.seen();
        if seen.recording {
            let event = event();
            seen.events.push(event);
        }
    }
}
