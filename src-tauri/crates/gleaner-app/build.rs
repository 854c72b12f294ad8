//! Copies only those messages from the window's catalogues that the core itself shows, so that the program does not contain the others
//! twice.

use std::{collections::BTreeMap, env, fs, path::Path};

include!("src/catalogue/messages.rs");

macro_rules! keys {
    ($($(#[doc = $doc:literal])* $name:ident = $key:literal,)*) => {
        &[$($key),*]
    };
}

const KEYS: &[&str] = messages!(keys);
const LANGUAGES: &[&str] = &["en", "de", "fr", "es", "zh", "ja", "ar"];

fn main() {
    println!("cargo:rerun-if-changed=src/catalogue/messages.rs");
    if let Err(error) = build() {
        panic!("the catalogues could not be read: {error}");
    }
}

fn build() -> Result<(), Box<dyn std::error::Error>> {
    let mut selected = BTreeMap::new();
    for language in LANGUAGES {
        let path = Path::new("../../../ui/src/lib/messages").join(format!("{language}.json"));
        println!("cargo:rerun-if-changed={}", path.display());
        let mut messages: BTreeMap<String, serde_json::Value> = serde_json::from_slice(&fs::read(path)?)?;
        messages.retain(|key, _| KEYS.contains(&key.as_str()));
        selected.insert(language, messages);
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("catalogue.json"), serde_json::to_vec(&selected)?)?;
    Ok(())
}
