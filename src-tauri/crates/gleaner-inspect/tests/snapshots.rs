//! Compares the full report of one document per format, and of broken documents, with stored snapshots. Update them
//! with `INSTA_UPDATE=always cargo test -p gleaner-inspect`.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

#[test]
fn reports_match_their_snapshots() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/whole");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 8);
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let parsed = gleaner_feed::parse(&std::fs::read(&file).unwrap(), gleaner_feed::Context::default());
        let report = serde_json::to_string_pretty(&gleaner_inspect::report(&name, &parsed)).unwrap();
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "snapshots" }, {
            insta::assert_snapshot!(name.as_str(), report);
        });
    }
}

#[test]
fn every_snapshot_has_a_document() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for snapshot in std::fs::read_dir(here.join("tests/snapshots")).unwrap() {
        let snapshot = snapshot.unwrap().file_name().to_string_lossy().into_owned();
        let name = snapshot.strip_suffix(".snap").unwrap_or_else(|| panic!("{snapshot} was not reviewed"));
        assert!(here.join("../../../tests/fixtures/whole").join(name).exists(), "{snapshot} has no document");
    }
}
