//! Folders and titles of the server, and those of the user: a missing value on the server changes nothing.

use super::*;
use futures::TryStreamExt as _;
use gleaner_library::{FeedScope, Preferences, archive::FolderRecord};

impl Fixture {
    /// Stores that the server has the feed f1 in folders, with a title.
    async fn listed(&self, folders: &[&str], title: &str) {
        let mut folders = folders.iter().map(|name| (*name).to_owned());
        let one = RemoteFeed {
            label: folders.next(),
            other_labels: folders.collect(),
            title: title.to_owned(),
            ..feed("f1", None)
        };
        self.library.sync().store_feeds(self.account, &[one, feed("f2", Some("Tech"))], false).await.unwrap();
        assert!(self.changes().await.is_empty(), "nothing of the server's is sent back");
    }

    async fn folder(&self) -> String {
        let f1 = self.library.sync().feeds(self.account).await.unwrap()["f1"];
        let at = self.library.feeds().get(f1).await.unwrap().folder_id;
        let folders = self.library.folders().list().await.unwrap();
        folders.into_iter().find(|folder| Some(folder.id) == at).unwrap().name
    }

    async fn move_to(&self, folder: &str) {
        let f1 = self.library.sync().feeds(self.account).await.unwrap()["f1"];
        let own = self.account().await.folder_id;
        let there = self.library.folders().list().await.unwrap();
        let there = there.into_iter().find(|row| row.parent_id == own && row.name == folder).map(|row| row.id);
        let id = match there {
            Some(id) => id,
            None => self.library.folders().create(folder, own).await.unwrap(),
        };
        let change = Rearrangement { feeds: vec![f1], parent: Some(id), ..Rearrangement::default() };
        self.library.subscriptions().arrange(&change).await.unwrap();
    }

    async fn send_changes(&self) {
        for change in self.library.sync().pending_feed_changes(self.account).await.unwrap() {
            self.library.sync().feed_change_sending(&change).await.unwrap();
            self.library.sync().feed_change_sent(self.account, &change, None).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_feed_in_several_folders_stays_in_the_one_where_the_user_moved_it() {
    let f = Fixture::new().await;
    f.listed(&["Tech", "World"], "Title of f1").await;
    assert_eq!(f.folder().await, "Tech");
    f.move_to("News").await;
    assert_eq!(
        f.changes().await,
        [FeedChangeKind::Move { from: Some("Tech".to_owned()), to: Some("News".to_owned()) }]
    );
    f.send_changes().await;
    for folders in [["World", "News"], ["News", "World"]] {
        f.listed(&folders, "Title of f1").await;
        assert_eq!(f.folder().await, "News");
    }
    // Moved to the other one, which the server has it in already.
    f.move_to("World").await;
    assert_eq!(
        f.changes().await,
        [FeedChangeKind::Move { from: Some("News".to_owned()), to: Some("World".to_owned()) }]
    );
    f.send_changes().await;
    f.listed(&["World"], "Title of f1").await;
    assert_eq!(f.folder().await, "World");
    // Moved on the server.
    f.listed(&["Tech", "News"], "Title of f1").await;
    assert_eq!(f.folder().await, "Tech");
}

#[tokio::test]
async fn a_title_of_the_user_that_the_server_never_had_stays() {
    let f = Fixture::new().await;
    let f1 = f.library.sync().feeds(f.account).await.unwrap()["f1"];
    let title = async || f.library.feeds().get(f1).await.unwrap().shown_title();
    f.library.feeds().rename(f1, "Mine & yours").await.unwrap();
    let change = f.library.sync().pending_feed_changes(f.account).await.unwrap().remove(0);
    f.library.sync().feed_change_refused(&change).await.unwrap();
    f.listed(&["Tech"], "Title that the feed has now").await;
    assert_eq!(title().await, "Mine & yours");
    // One that it had, as some servers write it, follows.
    f.listed(&["Tech"], "Mine \u{ff06} yours").await;
    f.listed(&["Tech"], "Theirs").await;
    assert_eq!(title().await, "Theirs");
}

/// Returns the paths of all folders that are shown.
async fn paths(library: &Library) -> Vec<String> {
    let folders = library.folders().list().await.unwrap();
    let mut paths: Vec<String> = gleaner_library::folder_paths(&folders).into_values().collect();
    paths.sort();
    paths
}

#[tokio::test]
async fn a_feed_stays_in_the_folders_of_its_account() {
    let f = Fixture::new().await;
    let library = &f.library;
    let f1 = library.sync().feeds(f.account).await.unwrap()["f1"];
    let local = library.subscriptions().add(&NewSubscription::new("https://local.example/")).await.unwrap();
    let (own, land) = (f.account().await.folder_id, library.folders().create("Land", None).await.unwrap());
    let tech = library.feeds().get(f1).await.unwrap().folder_id;
    let before = (library.feeds().list().await.unwrap(), paths(library).await);
    let moved = |feeds: &[i64], folders: &[i64], parent| Rearrangement {
        feeds: feeds.to_vec(),
        folders: folders.to_vec(),
        parent,
        ..Rearrangement::default()
    };
    library.subscriptions().arrange(&moved(&[local], &[], Some(land))).await.unwrap();
    for change in [
        moved(&[f1], &[], Some(land)),
        moved(&[f1], &[], None),
        moved(&[local], &[], own),
        moved(&[local, f1], &[], tech),
        moved(&[], &[land], own),
        moved(&[], &[tech.unwrap()], Some(land)),
    ] {
        let refused = library.subscriptions().arrange(&change).await;
        assert!(
            matches!(refused, Err(LibraryError::Refused(Refusal::FolderOfOtherAccount))),
            "{change:?}: {refused:?}"
        );
    }
    let new = NewSubscription {
        folder: vec!["Server".to_owned(), "New".to_owned()],
        ..NewSubscription::new("https://n.example/")
    };
    for (new, into) in [(new, None), (NewSubscription::new("https://n.example/"), tech)] {
        let refused = library.subscriptions().add_into(&new, into, false).await;
        assert!(matches!(refused, Err(LibraryError::Refused(Refusal::FolderOfOtherAccount))), "{refused:?}");
    }
    library.subscriptions().arrange(&moved(&[local], &[], None)).await.unwrap();
    assert_eq!((library.feeds().list().await.unwrap().len(), paths(library).await), (before.0.len(), before.1));
    library.subscriptions().arrange(&moved(&[f1], &[], own)).await.unwrap();
    // The folder of the account may be in another one.
    library.subscriptions().arrange(&moved(&[], &[own.unwrap()], Some(land))).await.unwrap();
    library.subscriptions().arrange(&moved(&[f1], &[], tech)).await.unwrap();
    // If it was deleted, its feeds are not lost at the top.
    library.folders().delete(own.unwrap()).await.unwrap();
    library.subscriptions().arrange(&moved(&[f1], &[], None)).await.unwrap();
}

async fn archived(library: &Library) -> Vec<String> {
    let mut snapshot = library.archive().snapshot().await.unwrap();
    let folders: Vec<FolderRecord> = snapshot.records().try_collect().await.unwrap();
    folders.into_iter().map(|folder| folder.name).collect()
}

#[tokio::test]
async fn empty_folders_of_a_removed_account_are_hidden_until_it_is_restored_or_gone() {
    let folder = tempfile::tempdir().unwrap();
    let day = std::sync::Arc::new(std::sync::atomic::AtomicI64::new(0));
    let clock = {
        let day = day.clone();
        gleaner_library::Clock::new(move || {
            1_700_000_000_000 + day.load(std::sync::atomic::Ordering::Relaxed) * 86_400_000
        })
    };
    let library = Library::open_with(folder.path(), clock).await.unwrap();
    let new = NewAccount { name: "Server".to_owned(), url: "u".to_owned(), ..NewAccount::default() };
    let account = library.accounts().add(&new).await.unwrap();
    let feeds = [feed("f1", Some("Tech")), feed("f2", Some("Land"))];
    library.sync().store_feeds(account, &feeds, false).await.unwrap();
    let all = ["Server", "Server / Land", "Server / Tech"];
    assert_eq!(paths(&library).await, all);
    let there = library.feeds().list().await.unwrap();

    library.accounts().remove(account, false).await.unwrap();
    assert_eq!(paths(&library).await, [""; 0]);
    assert_eq!(archived(&library).await, [""; 0]);
    library.accounts().restore(account).await.unwrap();
    assert_eq!(archived(&library).await.len(), all.len());
    assert_eq!(
        (paths(&library).await, library.feeds().list().await.unwrap()),
        (all.map(str::to_owned).to_vec(), there)
    );

    library.accounts().remove(account, true).await.unwrap();
    assert_eq!(paths(&library).await, all, "the feeds stay");
    library.accounts().restore(account).await.unwrap();

    // Added again, its folder has the same name.
    library.accounts().remove(account, false).await.unwrap();
    let again = library.accounts().add(&new).await.unwrap();
    library.sync().store_feeds(again, &[feed("f1", Some("Tech"))], false).await.unwrap();
    assert!(paths(&library).await.iter().all(|path| path.starts_with("Server")), "{:?}", paths(&library).await);
    assert!(!paths(&library).await.contains(&"Server (2)".to_owned()));
    library.accounts().remove(again, false).await.unwrap();
    assert_eq!(paths(&library).await, [""; 0]);

    // The former one has all of its feeds in a folder of its own.
    library.accounts().restore(account).await.unwrap();
    let restored = paths(&library).await;
    assert!(restored.iter().all(|path| path.starts_with("Server (2)")), "{restored:?}");
    assert_eq!(restored.len(), all.len());
    // Settings do not keep a folder: they apply to nothing.
    let own = library.accounts().get(account).await.unwrap().folder_id.unwrap();
    let quiet = Preferences { notify: Some(false), ..Preferences::default() };
    library.preferences().set(FeedScope::Folder(own), quiet).await.unwrap();
    library.accounts().remove(account, false).await.unwrap();
    day.store(2, std::sync::atomic::Ordering::Relaxed);
    library.accounts().delete_removed().await.unwrap();
    let (id, name) = (library.folders().create("Server", None).await.unwrap(), "Server".to_owned());
    assert_eq!(paths(&library).await, [name]);
    library.folders().delete(id).await.unwrap();
    assert_eq!(paths(&library).await, [""; 0], "they were deleted");
}

#[tokio::test]
async fn an_account_and_its_folder_have_one_name_and_undo_restores_both() {
    let f = Fixture::new().await;
    f.listed(&["Tech"], "").await;
    let id = f.account().await.folder_id.unwrap();
    let names = async || {
        let folders = f.library.folders().list().await.unwrap();
        let folder = folders.into_iter().find(|folder| folder.id == id).unwrap().name;
        (f.account().await.name, folder)
    };
    let before = names().await;
    let both = |name: &str| (name.to_owned(), name.to_owned());
    let by_account = f.library.accounts().rename(f.account, " Work ").await.unwrap();
    assert_eq!(names().await, both("Work"));
    let by_folder = f.library.folders().rename(id, "Office").await.unwrap();
    assert_eq!(names().await, both("Office"));
    f.library.undo(by_folder.step).await.unwrap();
    assert_eq!(names().await, both("Work"));
    f.library.folders().create("Home", None).await.unwrap();
    let rename = async |name| f.library.accounts().rename(f.account, name).await;
    assert!(matches!(rename("Home").await, Err(LibraryError::Refused(Refusal::FolderNameTaken))));
    assert!(matches!(rename(" ").await, Err(LibraryError::Refused(Refusal::FolderName))));
    assert_eq!(names().await, both("Work"));
    f.library.undo(by_account.step).await.unwrap();
    assert_eq!(names().await, before);
    assert!(f.changes().await.is_empty(), "the server has no such folder");

    f.library.folders().delete(id).await.unwrap();
    let step = rename("Home").await.unwrap().step;
    assert_eq!(f.account().await.name, "Home", "without a folder, only the account has the name");
    f.library.undo(step).await.unwrap();
    assert_eq!(f.account().await.name, before.0);
    f.library.accounts().remove(f.account, false).await.unwrap();
    assert!(matches!(rename("Work").await, Err(LibraryError::NotFound(_))));
}
