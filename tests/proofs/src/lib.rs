//! What the proofs of the library share: a disk that is watched and can fail, what it may hold after a power cut, a record of
//! every statement, and things to do to a library.
#![allow(clippy::unwrap_used)]

pub mod acts;
pub mod disk;
pub mod dump;
#[allow(unsafe_code)] // A VFS of SQLite's is a table of C functions.
mod shim;
#[allow(unsafe_code)] // So is what hears of its statements.
pub mod statements;
mod watch;

pub use shim::watch;
pub use watch::{Call, Event, Trouble, Watch};

/// Numbers that look like chance and are the same each time (SplitMix64).
#[derive(Debug, Clone)]
pub struct Chance(pub u64);

impl Chance {
    /// The next one.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One below a number that is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.number() % end as u64).unwrap()
    }

    /// Heads or tails.
    pub fn flip(&mut self) -> bool {
        self.number() & 1 == 1
    }
}

/// How many rounds a proof goes: few in the ordinary tests, many by `make torture` (TORTURE).
pub fn rounds(ordinary: usize) -> usize {
    let torture = std::env::var("TORTURE").ok().and_then(|rounds| rounds.parse::<usize>().ok());
    torture.map_or(ordinary, |rounds| ordinary * rounds.div_ceil(15).max(1))
}
