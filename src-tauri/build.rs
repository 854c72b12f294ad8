//! Compiles the configuration and the permissions into the shell. The permission is made from the declaration of commands.

use std::{env, fs, path::Path};

// Only the tokens of the declaration are used here, so the build script does not have to compile its types.
include!("crates/gleaner-contract/src/commands.rs");

macro_rules! names {
    ($($module:ident { $($(#[doc = $doc:literal])* $name:ident($request:ty) -> $response:ty;)* })*) => {
        &[$($(stringify!($name),)*)*]
    };
}

const COMMANDS: &[&str] = commands!(names);

fn main() {
    println!("cargo:rerun-if-changed=src-tauri/crates/gleaner-contract/src/commands.rs");
    if let Err(error) = build() {
        panic!("the Tauri build script failed: {error:#}");
    }
}

fn build() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(&env::var("OUT_DIR")?).join("permissions");
    fs::create_dir_all(&folder)?;
    let permission = format!(
        "[[permission]]\nidentifier = \"allow-gleaner\"\ndescription = \"The commands of Gleaner\"\ncommands.allow = {COMMANDS:?}\n"
    );
    fs::write(folder.join("gleaner.toml"), permission)?;
    let pattern = folder.join("*.toml").display().to_string();
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("src-tauri/capabilities/*.json")
        .app_manifest(tauri_build::AppManifest::new().permissions_path_pattern(pattern.leak()));
    Ok(tauri_build::try_build(attributes)?)
}
