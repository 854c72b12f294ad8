//! Compiles the permissions and the configuration into the shell.

fn main() {
    let attributes = tauri_build::Attributes::new()
        .capabilities_path_pattern("src-tauri/capabilities/*.json")
        .app_manifest(tauri_build::AppManifest::new().permissions_path_pattern("src-tauri/permissions/*.toml"));
    if let Err(error) = tauri_build::try_build(attributes) {
        panic!("the Tauri build script failed: {error:#}");
    }
}
