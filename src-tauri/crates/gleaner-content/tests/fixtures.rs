//! Runs the fixtures in `tests/fixtures/content`: each is a comment with one rule of sanitising, HTML, and the result.
#![allow(clippy::unwrap_used)]

use gleaner_content::sanitise;
use std::{fs, path::Path};

const BECOMES: &str = "<!-- becomes -->\n";

#[test]
fn sanitises_the_fixtures_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/content");
    let mut read = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let fixture = fs::read_to_string(&path).unwrap();
        let (fact, rest) = fixture.split_once("-->\n").unwrap();
        let (html, expected) = rest.split_once(BECOMES).unwrap();
        let found = sanitise(html.trim_end(), Some("https://blog.example/post"));
        if std::env::var_os("GLEANER_WRITE_FIXTURES").is_some() {
            fs::write(&path, format!("{fact}-->\n{html}{BECOMES}{found}\n")).unwrap();
        } else {
            assert_eq!(found, expected.trim_end(), "{}: {fact}", path.display());
        }
        assert_eq!(sanitise(&found, Some("https://blog.example/post")), found, "twice: {}", path.display());
        read += 1;
    }
    assert!(read > 40);
}
