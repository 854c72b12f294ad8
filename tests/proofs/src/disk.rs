//! The possible contents of a disk after a power cut: everything that was synced, and any part of the rest, torn at any sector.

use crate::{Chance, Event};
use std::{
    collections::{BTreeMap, HashMap},
    fs,
    path::{Path, PathBuf},
};

/// Number of bytes in a sector, which is written completely or not at all.
const SECTOR: usize = 512;

#[derive(Debug, Clone)]
enum Change {
    Write(usize, Vec<u8>),
    Cut(usize),
}

#[derive(Debug, Clone, Default)]
struct Contents {
    safe: Vec<u8>,
    /// Writes since the last sync, in order.
    loose: Vec<Change>,
}

/// The state of a disk.
#[derive(Debug, Default)]
pub struct Disk {
    files: HashMap<u32, Contents>,
    /// For each name, the file that it had at the last sync (`None`: no file), then the files that it had later.
    names: BTreeMap<PathBuf, Vec<Option<u32>>>,
}

impl Disk {
    /// Applies an event.
    pub fn follow(&mut self, event: &Event) {
        match event {
            Event::Found { file, path, bytes } => {
                self.files.insert(*file, Contents { safe: bytes.clone(), loose: Vec::new() });
                self.names.insert(path.clone(), vec![Some(*file)]);
            }
            Event::Made { file, path } => {
                self.files.insert(*file, Contents::default());
                self.names.entry(path.clone()).or_insert_with(|| vec![None]).push(Some(*file));
            }
            Event::Deleted { path, synced } => {
                self.names.entry(path.clone()).or_insert_with(|| vec![None]).push(None);
                if *synced {
                    self.settle();
                }
            }
            Event::Written { file, at, bytes } => {
                self.files.entry(*file).or_default().loose.push(Change::Write(*at, bytes.clone()));
            }
            Event::Cut { file, length } => self.files.entry(*file).or_default().loose.push(Change::Cut(*length)),
            Event::Synced { file } => {
                let contents = self.files.entry(*file).or_default();
                for change in std::mem::take(&mut contents.loose) {
                    match change {
                        Change::Write(at, bytes) => put(&mut contents.safe, at, &bytes),
                        Change::Cut(length) => contents.safe.resize(length, 0),
                    }
                }
                // SQLite syncs the folder with a new file, and no file system loses the name of a file that it synced.
                if self.names.values().any(|files| files.len() > 1 && files.last() == Some(&Some(*file))) {
                    self.settle();
                }
            }
            Event::Acknowledged(_) => {}
        }
    }

    /// Applies a sync of the folder.
    fn settle(&mut self) {
        for files in self.names.values_mut() {
            files.drain(..files.len() - 1);
        }
    }

    /// Returns random possible contents after a power cut.
    pub fn cut(&self, chance: &mut Chance) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut there = BTreeMap::new();
        for (path, files) in &self.names {
            if let Some(file) = files[chance.below(files.len())] {
                there.insert(path.clone(), self.files[&file].cut(chance));
            }
        }
        there
    }
}

impl Contents {
    fn cut(&self, chance: &mut Chance) -> Vec<u8> {
        let mut bytes = self.safe.clone();
        let way = chance.below(6);
        // Keeps no write, all of them, those before a torn one, or any part of any of them.
        let end = match way {
            0 => 0,
            1 => self.loose.len(),
            _ => chance.below(self.loose.len() + 1),
        };
        for (number, change) in self.loose.iter().enumerate() {
            let whole = match way {
                0 | 1 => number < end,
                2 | 3 if number != end => number < end,
                _ => chance.below(4) == 0,
            };
            match change {
                Change::Write(at, new) if whole => put(&mut bytes, *at, new),
                // Nothing after the torn write was stored.
                Change::Write(..) if way < 2 || way < 4 && number > end => {}
                Change::Write(at, new) => tear(&mut bytes, *at, new, chance),
                Change::Cut(length) if whole => bytes.resize(*length, 0),
                Change::Cut(_) => {}
            }
        }
        bytes
    }
}

fn put(bytes: &mut Vec<u8>, at: usize, new: &[u8]) {
    if bytes.len() < at + new.len() {
        bytes.resize(at + new.len(), 0);
    }
    bytes[at..at + new.len()].copy_from_slice(new);
}

/// Writes some of the sectors. If the file grew and the new bytes were lost, their place may contain anything.
fn tear(bytes: &mut Vec<u8>, at: usize, new: &[u8], chance: &mut Chance) {
    if chance.below(3) == 0 {
        return;
    }
    let (length, rubbish) = (bytes.len(), chance.flip());
    let mut from = 0;
    while from < new.len() {
        let to = ((at + from) / SECTOR * SECTOR + SECTOR - at).min(new.len());
        if chance.flip() {
            put(bytes, at + from, &new[from..to]);
        } else if at + to > length {
            let unwritten = if rubbish { chance.number() as u8 } else { 0 };
            let start = (at + from).max(length);
            put(bytes, start, &vec![unwritten; at + to - start]);
        }
        from = to;
    }
}

/// Writes files into another folder.
pub fn lay_out(files: &BTreeMap<PathBuf, Vec<u8>>, folder: &Path) {
    for (path, bytes) in files {
        fs::write(folder.join(path.file_name().unwrap()), bytes).unwrap();
    }
}
