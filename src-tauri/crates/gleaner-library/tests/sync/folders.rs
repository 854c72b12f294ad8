//! Folders and titles that the server has, and those that the user gave: what it does not say is not taken over.

use super::*;

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
