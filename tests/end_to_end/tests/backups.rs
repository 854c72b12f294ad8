//! Backups and the repair of a library, in the window.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};
use std::{
    fs::File,
    io::{Seek as _, SeekFrom, Write as _},
    path::PathBuf,
};

/// Creates a library with a feed of one article, and the server of the feed.
async fn filled() -> (Scratch, Server) {
    let (scratch, server) = (Scratch::new(), Server::start().await);
    server.on("/feed", Reply::ok(rss("Kept feed", &[article("Kept article", "<p>Still here.</p>")])));
    assert!(scratch.glean(&["add", &server.url("/feed")]).status.success());
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    (scratch, server)
}

/// Overwrites bytes of the library's file.
fn scribble(scratch: &Scratch, at: u64, bytes: usize) {
    let mut file = File::options().write(true).open(scratch.library().join("library.sqlite")).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(&vec![0xa5; bytes]).unwrap();
}

/// Returns the files that were set aside.
fn aside(scratch: &Scratch) -> Vec<PathBuf> {
    let Ok(folders) = std::fs::read_dir(scratch.library().join("aside")) else { return Vec::new() };
    folders.map(|folder| folder.unwrap().path().join("library.sqlite")).collect()
}

#[test]
fn a_damaged_library_is_repaired_with_its_backup() {
    run(async {
        let (scratch, _server) = filled().await;
        assert!(scratch.glean(&["backup"]).status.success());
        // The first page contains the schema.
        scribble(&scratch, 0, 8192);
        let damaged = std::fs::read(scratch.library().join("library.sqlite")).unwrap();
        let window = Window::open(&scratch).await;
        window.find("heading", "Couldn’t read the library").await;
        window.find("button", "Try again").await;
        window.find("button", "Restore a backup…").await;
        window.shows("and never deleted").await;
        window.audit("a damaged library").await;
        window.screenshot("damaged").await;
        // The heading stays during the attempt; the buttons are disabled until it has failed.
        window.click("button", "Try again").await;

        window.click("button", "Recover readable data").await;
        window.find("dialog", "Library recovered").await;
        window.shows("1 feed · 1 article").await;
        window.shows("Missing parts were restored from the backup").await;
        window.audit("the result of the repair").await;
        window.screenshot("recovered").await;
        window.click("button", "Done").await;
        window.click("treeitem", "Kept feed").await;
        window.until("its article", "__e2e.all('option', null).length === 1").await;
        window.press("j").await;
        window.reads("Still here.").await;
        window.close().await;
        let set_aside = aside(&scratch);
        assert_eq!(set_aside.len(), 1);
        assert_eq!(std::fs::read(&set_aside[0]).unwrap(), damaged, "the damaged library is set aside unchanged");
    });
}

#[test]
fn a_damaged_library_without_a_backup_says_so_and_with_one_offers_it() {
    run(async {
        let (scratch, _server) = filled().await;
        scribble(&scratch, 0, 100);
        let window = Window::open(&scratch).await;
        window.shows("There is no backup to fill gaps from").await;
        assert_eq!(window.value("__e2e.all('button', 'Restore a backup…').length").await, 0);
        window.close().await;

        let (scratch, _server) = filled().await;
        assert!(scratch.glean(&["backup"]).status.success());
        scribble(&scratch, 0, 100);
        let window = Window::open(&scratch).await;
        // By keyboard only.
        window.find("button", "Restore a backup…").await;
        let focus = "__e2e.all('button', arguments[0])[0].focus(); return true;";
        window.script(focus, vec!["Restore a backup…".into()]).await.unwrap();
        window.press("\u{e007}").await;
        window.find("button", "Restore the backup of").await;
        window.press("\u{e004}\u{e004}").await;
        window.resize(640, 800).await;
        window.audit("the choice of a backup").await;
        window.screenshot("damaged-choice").await;
        window.script(focus, vec!["Restore the backup of".into()]).await.unwrap();
        window.press("\u{e007}").await;
        window.find("group", "Restore the backup of").await;
        window.screenshot("damaged-question").await;
        // The focus is on the answer to the question.
        window.press("\u{e007}").await;
        window.find("dialog", "Backup restored").await;
        window.shows("The library is back to its state").await;
        window.click("button", "Done").await;
        window.until("its article", "__e2e.all('option', 'Kept article').length === 1").await;
        window.close().await;
    });
}

#[test]
fn a_backup_is_made_and_restored_in_the_settings() {
    run(async {
        let (scratch, _server) = filled().await;
        let window = Window::open(&scratch).await;
        window.find("treeitem", "Kept feed").await;
        window.press_control(',').await;
        window.find("region", "Backups").await;
        window.shows("No backups yet.").await;
        window.screenshot("settings-no-backup").await;
        window.click("button", "Back up now").await;
        window.find("button", "Restore the backup of").await;
        window.shows("manual").await;
        window.audit("the settings with a backup").await;
        window.screenshot("settings-backup").await;
        window.click("button", "Open folder").await;
        settled("the folder is shown", || async {
            let opened = scratch.opened();
            if opened == [scratch.library().display().to_string()] { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;
        window.click("button", "Close").await;

        // The star is later than the backup.
        window.click("treeitem", "Kept feed").await;
        window.until("only its article", "__e2e.all('option', null).length === 1").await;
        window.press("j").await;
        window.reads("Still here.").await;
        window.press("s").await;
        settled("the star is stored", || async {
            let stats = scratch.stats();
            if stats["starred"] == 1 { Ok(()) } else { Err(stats.to_string()) }
        })
        .await;
        window.press_control(',').await;
        window.click("button", "Restore the backup of").await;
        window.shows("is moved to").await;
        window.until("its section", "__e2e.all('button', 'Backups')[0].ariaCurrent === 'true'").await;
        window.screenshot("settings-question").await;
        window.click("button", "Restore").await;
        window.find("dialog", "Backup restored").await;
        window.screenshot("restored").await;
        window.click("button", "Done").await;
        window.until("its article", "__e2e.all('option', 'Kept article').length === 1").await;
        assert_eq!(scratch.stats()["starred"], 0, "the backup is from before the star");
        assert_eq!(aside(&scratch).len(), 1);
        // Undo steps of the former library do not apply to this one.
        window.press("u").await;
        window.shows("Nothing to undo").await;
        // A path is not the name of a backup.
        let refused = "window.__TAURI_INTERNALS__.invoke('restore_backup', { args: { name: arguments[0] } })
                .then(() => (window.__refused = 'no'), (error) => (window.__refused = error.code)); return true;";
        let path = aside(&scratch)[0].display().to_string();
        window.script(refused, vec![path.into()]).await.unwrap();
        window.until("the refusal", "window.__refused === 'not_found'").await;
        window.close().await;
    });
}

#[test]
fn a_backup_is_not_restored_while_another_program_has_the_library_open() {
    run(async {
        let (scratch, _server) = filled().await;
        assert!(scratch.glean(&["backup"]).status.success());
        // All but its first page: SQLite opens it and fails at the first table.
        let length = std::fs::metadata(scratch.library().join("library.sqlite")).unwrap().len();
        scribble(&scratch, 8192, usize::try_from(length).unwrap() - 8192);
        // As an open library locks it.
        let lock = File::options().append(true).open(scratch.library().join("library.lock")).unwrap();
        lock.lock_shared().unwrap();
        let window = Window::open(&scratch).await;
        window.click("button", "Recover readable data").await;
        window.shows("The library is open in another window").await;
        assert_eq!(aside(&scratch), Vec::<PathBuf>::new());
        drop(lock);
        window.click("button", "Recover readable data").await;
        window.find("dialog", "Library recovered").await;
        window.close().await;
    });
}
