//! The way back to a whole library, in the real window.
#![allow(clippy::unwrap_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};
use std::{
    fs::File,
    io::{Seek as _, SeekFrom, Write as _},
    path::PathBuf,
};

/// A library with a feed of one article, and what it is fed from.
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

/// The files that were set aside.
fn aside(scratch: &Scratch) -> Vec<PathBuf> {
    let Ok(folders) = std::fs::read_dir(scratch.library().join("aside")) else { return Vec::new() };
    folders.map(|folder| folder.unwrap().path().join("library.sqlite")).collect()
}

#[test]
fn a_damaged_library_is_recovered_with_what_its_backup_has() {
    run(async {
        let (scratch, _server) = filled().await;
        assert!(scratch.glean(&["backup"]).status.success());
        // The first page holds the schema.
        scribble(&scratch, 0, 8192);
        let damaged = std::fs::read(scratch.library().join("library.sqlite")).unwrap();
        let window = Window::open(&scratch).await;
        window.find("heading", "The library cannot be read").await;
        window.find("button", "Try again").await;
        window.find("button", "Restore a backup…").await;
        window.shows("and never deleted").await;
        window.audit("a damaged library").await;
        window.picture("damaged").await;
        window.click("button", "Try again").await;
        window.find("heading", "The library cannot be read").await;

        window.click("button", "Recover what can be read").await;
        window.find("dialog", "The library is recovered").await;
        window.shows("1 feed and").await;
        window.shows("What was missing came from the backup").await;
        window.audit("what came through").await;
        window.picture("recovered").await;
        window.click("button", "Done").await;
        window.click("treeitem", "Kept feed").await;
        window.until("its article", "__e2e.all('option', null).length === 1").await;
        window.press("j").await;
        window.reads("Still here.").await;
        window.close().await;
        let kept = aside(&scratch);
        assert_eq!(kept.len(), 1);
        assert_eq!(std::fs::read(&kept[0]).unwrap(), damaged, "what was there is set aside as it was");
    });
}

#[test]
fn a_damaged_library_without_a_backup_says_so_and_a_backup_can_be_chosen_where_there_is_one() {
    run(async {
        let (scratch, _server) = filled().await;
        scribble(&scratch, 0, 100);
        let window = Window::open(&scratch).await;
        window.shows("there is no backup to fill the gaps from").await;
        assert_eq!(window.value("__e2e.all('button', 'Restore a backup…').length").await, 0);
        window.close().await;

        let (scratch, _server) = filled().await;
        assert!(scratch.glean(&["backup"]).status.success());
        scribble(&scratch, 0, 100);
        let window = Window::open(&scratch).await;
        // By the keyboard alone.
        window.find("button", "Restore a backup…").await;
        let focus = "__e2e.all('button', arguments[0])[0].focus(); return true;";
        window.script(focus, vec!["Restore a backup…".into()]).await.unwrap();
        window.press("\u{e007}").await;
        window.find("button", "Restore the backup of").await;
        window.press("\u{e004}\u{e004}").await;
        window.resize(640, 800).await;
        window.audit("the choice of a backup").await;
        window.picture("damaged-choice").await;
        window.script(focus, vec!["Restore the backup of".into()]).await.unwrap();
        window.press("\u{e007}").await;
        window.find("group", "Back to").await;
        window.picture("damaged-question").await;
        // The question has the focus on its answer.
        window.press("\u{e007}").await;
        window.find("dialog", "The backup is restored").await;
        window.shows("The library is as it was").await;
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
        window.shows("There is no backup yet.").await;
        window.picture("settings-no-backup").await;
        window.click("button", "Back up now").await;
        window.find("button", "Restore the backup of").await;
        window.shows("made by you").await;
        window.audit("the settings with a backup").await;
        window.picture("settings-backup").await;
        window.click("button", "Open the folder").await;
        settled("the folder is shown", || async {
            let opened = scratch.opened();
            if opened == [scratch.library().display().to_string()] { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;
        window.click("button", "Close").await;

        // What is done after the backup is not in it.
        window.click("treeitem", "Kept feed").await;
        window.until("its article alone", "__e2e.all('option', null).length === 1").await;
        window.press("j").await;
        window.reads("Still here.").await;
        window.press("s").await;
        settled("the star is kept", || async {
            let stats = scratch.stats();
            if stats["starred"] == 1 { Ok(()) } else { Err(stats.to_string()) }
        })
        .await;
        window.press_control(',').await;
        window.click("button", "Restore the backup of").await;
        window.shows("set aside in").await;
        window.picture("settings-question").await;
        window.click("button", "Restore it").await;
        window.find("dialog", "The backup is restored").await;
        window.picture("restored").await;
        window.click("button", "Done").await;
        window.until("its article", "__e2e.all('option', 'Kept article').length === 1").await;
        assert_eq!(scratch.stats()["starred"], 0, "as it was before the star");
        assert_eq!(aside(&scratch).len(), 1);
        // What the former library could take back, this one knows nothing of.
        window.press("u").await;
        window.shows("Nothing to undo").await;
        // A path is no name of a backup.
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
        // All but its first page: SQLite opens it, and fails at the first table.
        let length = std::fs::metadata(scratch.library().join("library.sqlite")).unwrap().len();
        scribble(&scratch, 8192, usize::try_from(length).unwrap() - 8192);
        // As an open library holds it.
        let lock = File::options().append(true).open(scratch.library().join("library.lock")).unwrap();
        lock.lock_shared().unwrap();
        let window = Window::open(&scratch).await;
        window.click("button", "Recover what can be read").await;
        window.shows("Another program has the library open").await;
        assert_eq!(aside(&scratch), Vec::<PathBuf>::new());
        drop(lock);
        window.click("button", "Recover what can be read").await;
        window.find("dialog", "The library is recovered").await;
        window.close().await;
    });
}
