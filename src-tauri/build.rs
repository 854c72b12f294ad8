//! Compiles the permissions and the configuration into the shell.

fn main() {
    // tauri_build watches the places where they would stand otherwise.
    println!("cargo:rerun-if-changed=src-tauri/permissions");
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("src-tauri/capabilities/*.json")
        .app_manifest(tauri_build::AppManifest::new().permissions_path_pattern("src-tauri/permissions/*.toml"));
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("the Tauri build script failed: {error:#}");
    }
}
