//! Checks that faults found by fuzzing stay fixed: each file of `tests/fixtures/fuzz/<target>` passes that target's check.
#![allow(clippy::unwrap_used)]

use gleaner_fuzz::CHECKS;
use std::{fs, path::Path};

#[test]
fn former_findings_stay_fixed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/fuzz");
    let mut tried = 0;
    for target in fs::read_dir(folder).unwrap() {
        let target = target.unwrap().path();
        let name = target.file_name().unwrap().to_string_lossy().into_owned();
        let (_, check) = CHECKS.iter().find(|(check, _)| *check == name).unwrap_or_else(|| panic!("no check {name}"));
        for file in fs::read_dir(&target).unwrap() {
            let file = file.unwrap().path();
            println!("{}", file.display());
            check(&fs::read(&file).unwrap());
            tried += 1;
        }
    }
    assert!(tried > 0);
}
