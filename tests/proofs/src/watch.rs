//! What SQLite does to the files of a folder, written down; and trouble that it meets there.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What SQLite asks of the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// A file.
    Open,
    /// Some bytes.
    Read,
    /// Some bytes.
    Write,
    /// That what was written stays.
    Sync,
    /// That a file ends sooner.
    Truncate,
    /// A lock on the file or on its shared memory.
    Lock,
}

/// A call that fails.
#[derive(Debug, Clone, Copy)]
pub struct Trouble {
    /// What fails.
    pub call: Call,
    /// Which one of those that come from now on: 0 is the next.
    pub at: usize,
    /// All that come after it fail too.
    pub lasting: bool,
    /// SQLite's code for what is wrong.
    pub code: i32,
}

/// A step that changes what is on the disk, or says what is to be there.
#[derive(Debug, Clone)]
pub enum Event {
    /// A file that was there before, whole and safe.
    Found {
        /// Its number: a file that is deleted and made again has another one.
        file: u32,
        /// Where.
        path: PathBuf,
        /// All of it.
        bytes: Vec<u8>,
    },
    /// A new, empty file.
    Made {
        /// Its number.
        file: u32,
        /// Where.
        path: PathBuf,
    },
    /// A file's name is gone.
    Deleted {
        /// Where it was.
        path: PathBuf,
        /// The folder was synced.
        synced: bool,
    },
    /// Bytes were handed to the system.
    Written {
        /// The file's number.
        file: u32,
        /// From here on.
        at: usize,
        /// These.
        bytes: Vec<u8>,
    },
    /// A file has another length.
    Cut {
        /// The file's number.
        file: u32,
        /// Bytes.
        length: usize,
    },
    /// All that was written to the file before is safe, and so is its name.
    Synced {
        /// The file's number.
        file: u32,
    },
    /// So many things were acknowledged.
    Acknowledged(usize),
}

#[derive(Debug, Default)]
struct Seen {
    recording: bool,
    events: Vec<Event>,
    files: BTreeMap<PathBuf, u32>,
    made: u32,
    trouble: Option<Trouble>,
    struck: usize,
    calls: BTreeMap<u8, usize>,
}

/// A folder that is watched.
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
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes down what happens from now on.
    pub fn record(&self) {
        self.seen().recording = true;
    }

    /// Says that so many things were acknowledged by now.
    pub fn acknowledge(&self, things: usize) {
        self.seen().events.push(Event::Acknowledged(things));
    }

    /// What has happened.
    pub fn events(&self) -> Vec<Event> {
        std::mem::take(&mut self.seen().events)
    }

    /// How many such calls there were.
    pub fn calls(&self, call: Call) -> usize {
        self.seen().calls.get(&(call as u8)).copied().unwrap_or(0)
    }

    /// Lets trouble come; `None` ends it. Says how often the former one has struck.
    pub fn trouble(&self, trouble: Option<Trouble>) -> usize {
        let mut seen = self.seen();
        seen.trouble = trouble;
        std::mem::take(&mut seen.struck)
    }

    /// The code that a call fails with, where it does.
    pub(crate) fn strike(&self, call: Call) -> Option<i32> {
        let mut seen = self.seen();
        *seen.calls.entry(call as u8).or_default() += 1;
        let trouble = seen.trouble.as_mut().filter(|trouble| trouble.call == call)?;
        if trouble.at > 0 {
            trouble.at -= 1;
            return None;
        }
        let (code, lasting) = (trouble.code, trouble.lasting);
        if !lasting {
            seen.trouble = None;
        }
        seen.struck += 1;
        Some(code)
    }

    /// The number of a file that was opened. `before`: it was there.
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
