//! Updates that the AppImage installs itself, signed by Tauri's own command.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, program, run, settled};
use gleaner_testserver::{Reply, Server};
use serde_json::json;
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

/// Runs `tauri signer`.
fn signer(words: &[&str]) {
    let tauri = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/node_modules/.bin/tauri");
    let output = Command::new(tauri).arg("signer").args(words).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Makes a pair of keys. Returns the path of the private one.
fn keys(scratch: &Scratch, name: &str) -> PathBuf {
    let key = scratch.path(name);
    signer(&["generate", "--ci", "--password", "", "--write-keys", key.to_str().unwrap()]);
    key
}

/// Signs a file as a version. Returns the signature.
fn sign(key: &Path, file: &Path, version: &str) -> String {
    let [key, path] = [key, file].map(|path| path.to_str().unwrap());
    signer(&["sign", "--private-key-path", key, "--password", "", "--app-version", version, path]);
    fs::read_to_string(format!("{path}.sig")).unwrap()
}

#[test]
fn an_appimage_installs_only_an_update_that_the_project_signed_and_restarts() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let (key, stranger) = (keys(&scratch, "key"), keys(&scratch, "stranger"));

        // In place of an image that a system without FUSE cannot mount: a script that starts the window in the same environment.
        let image = scratch.path("Gleaner.AppImage");
        let public = fs::read_to_string(scratch.path("key.pub")).unwrap();
        let window = program("GLEANER_WINDOW", "gleaner").canonicalize().unwrap();
        let script = format!(
            "#!/bin/sh\nexport APPIMAGE='{}' APPDIR='{}' GLEANER_UPDATE_KEY='{public}' GLEANER_UPDATE_ADDRESS='{}'\nexec '{}' \"$@\"\n",
            image.display(),
            window.parent().unwrap().display(),
            server.url("/latest.json"),
            window.display()
        );
        fs::write(&image, &script).unwrap();
        fs::set_permissions(&image, fs::Permissions::from_mode(0o755)).unwrap();

        let text = scratch.reporting_program();
        let update = scratch.write("update", &text);
        let offer = |version: &str, signature: String| {
            let platform = json!({ "url": server.url("/update"), "signature": signature });
            let platforms = json!({ "linux-x86_64": platform, "linux-aarch64": platform });
            let latest = json!({ "version": version, "notes": "", "platforms": platforms });
            server.on("/latest.json", Reply::ok(latest.to_string()));
        };
        let unchanged = || assert_eq!(fs::read_to_string(&image).unwrap(), script);

        offer(env!("CARGO_PKG_VERSION"), sign(&key, &update, env!("CARGO_PKG_VERSION")));
        let window = Window::open_program(&scratch, &image, &["--library", scratch.library().to_str().unwrap()]).await;
        window.click("button", "Explore first").await;
        window.find("treeitem", "Welcome to Gleaner").await;
        window.press_control(',').await;
        window.find("dialog", "Settings").await;
        window.click("button", "Background").await;
        window.find("switch", "Check for updates every day").await;
        assert!(server.requests().is_empty(), "without being asked");
        window.click("switch", "Check for updates every day").await;
        settled("the daily request", || async {
            let asked = server.requests().len();
            if asked == 1 { Ok(()) } else { Err(format!("{asked} requests")) }
        })
        .await;
        window.script("window.old = true; setTimeout(() => location.reload())", vec![]).await.unwrap();
        window.until("the page is loaded again", "!window.old").await;
        window.find("treeitem", "Welcome to Gleaner").await;
        window.click("button", "Menu").await;
        window.click("menuitem", "About Gleaner").await;
        window.find("button", "Check for updates").await;
        window.click("button", "Check for updates").await;
        window.shows("This is the latest version.").await;
        assert_eq!(server.requests().len(), 2, "once a day, however often the page is loaded");
        server.on("/latest.json", Reply::status(503));
        window.click("button", "Check for updates").await;
        window.shows("The latest version could not be downloaded.").await;
        window.audit("a failed check for updates").await;

        offer(env!("CARGO_PKG_VERSION"), sign(&key, &update, env!("CARGO_PKG_VERSION")));
        window.click("button", "Check for updates").await;
        window.shows("This is the latest version.").await;

        server.on("/update", Reply::ok(text.clone()));
        // Another key; then an older update that is offered as a newer one; then another file.
        for (signature, body) in [
            (sign(&stranger, &update, "99.0.0"), text.clone()),
            (sign(&key, &update, "98.0.0"), text.clone()),
            (sign(&key, &update, "99.0.0"), format!("{text}# changed\n")),
        ] {
            offer("99.0.0", signature);
            server.on("/update", Reply::ok(body));
            window.click("button", "Check for updates").await;
            window.shows("Gleaner 99.0.0 is available").await;
            window.click("button", "Install").await;
            window.shows("The update is not signed by the Gleaner project.").await;
            unchanged();
        }
        window.audit("an update that is not trusted").await;
        window.screenshot("update-untrusted").await;

        // A download that does not end is cancelled.
        offer("99.0.0", sign(&key, &update, "99.0.0"));
        server.on("/update", Reply::ok(text.clone()).hang_in_body(8));
        window.click("button", "Check for updates").await;
        window.shows("Gleaner 99.0.0 is available").await;
        window.screenshot("update-found").await;
        window.click("button", "Install").await;
        window.find("progressbar", "Downloading the update").await;
        window.screenshot("update-progress").await;
        window.click("button", "Cancel").await;
        window.find("button", "Install").await;
        unchanged();

        server.on("/update", Reply::ok(text.clone()));
        window.click("button", "Install").await;
        window.shows("Gleaner was updated").await;
        window.find("button", "Restart").await;
        window.screenshot("update-installed").await;
        assert_eq!(fs::read_to_string(&image).unwrap(), text);
        assert_eq!(fs::metadata(&image).unwrap().permissions().mode() & 0o777, 0o755);
        window.click_on_screen("Restart").await;
        window.ended().await;
        assert_eq!(scratch.reported().await, format!("--library\n{}\n", scratch.library().display()));
    });
}
