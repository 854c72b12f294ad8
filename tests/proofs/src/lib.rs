//! Code for the tests of the library: a disk that is recorded and can fail, its possible contents after a power cut, a record of all
//! statements, and typical changes of a library.
#![allow(clippy::unwrap_used)]

pub mod acts;
pub mod disk;
pub mod dump;
#[allow(unsafe_code)] // A VFS of SQLite is a table of C functions.
mod shim;
#[allow(unsafe_code)] // SQLite passes its statements to a C function.
pub mod statements;
mod watch;

pub use shim::watch;
pub use watch::{Call, Event, Problem, Watch};

/// Reproducible random numbers (SplitMix64).
#[derive(Debug, Clone)]
pub struct Chance(pub u64);

impl Chance {
    /// Returns the next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.number() % end as u64).unwrap()
    }

    /// Returns true or false.
    pub fn flip(&mut self) -> bool {
        self.number() & 1 == 1
    }
}

/// Returns the number of rounds of a test: few in ordinary tests, many in `make torture` (TORTURE).
pub fn rounds(ordinary: usize) -> usize {
    let torture = std::env::var("TORTURE").ok().and_then(|rounds| rounds.parse::<usize>().ok());
    torture.map_or(ordinary, |rounds| ordinary * rounds.div_ceil(15).max(1))
}
