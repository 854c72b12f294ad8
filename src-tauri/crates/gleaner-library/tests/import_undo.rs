//! Undoing imports.
#![allow(clippy::unwrap_used)]

use gleaner_library::{
    FolderRow, GainedMarks, ImportedArticles, Library, LibraryError, Marks, NewItem, NewSubscription,
};

fn subscription(name: &str, folder: &[&str]) -> NewSubscription {
    NewSubscription {
        url: format!("https://{name}.example/feed"),
        title: Some(name.to_owned()),
        folder: folder.iter().map(|name| (*name).to_owned()).collect(),
        ..NewSubscription::default()
    }
}

struct Fixture {
    _folder: tempfile::TempDir,
    library: Library,
    feeds: Vec<i64>,
    step: i64,
}

impl Fixture {
    /// A library with the feed "own" in the folder "News", and an import of three feeds into it, a subfolder, and a new folder.
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        library.subscriptions().import(&[], &[subscription("own", &["News"])], |_| true).await.unwrap();
        let listed = [
            subscription("rye", &["News"]),
            subscription("oats", &["News", "Grain"]),
            subscription("milk", &["Dairy"]),
        ];
        let done = library.subscriptions().import(&[vec!["Empty".to_owned()]], &listed, |_| true).await.unwrap();
        assert_eq!((done.added.len(), done.folders.len()), (3, 3));
        let step = library
            .subscriptions()
            .remember_import(&done.added, &done.folders, GainedMarks::default())
            .await
            .unwrap()
            .unwrap()
            .step;
        Self { _folder: folder, library, feeds: done.added, step }
    }

    async fn titles(&self) -> Vec<String> {
        self.library.feeds().list().await.unwrap().iter().map(|feed| feed.shown_title()).collect()
    }

    async fn folders(&self) -> Vec<String> {
        self.library.folders().list().await.unwrap().into_iter().map(|folder| folder.name).collect()
    }

    /// Returns the feed that was there before the import.
    async fn own(&self) -> i64 {
        let feeds = self.library.feeds().list().await.unwrap();
        feeds.iter().find(|feed| feed.shown_title() == "own").unwrap().id
    }

    /// Adds unread articles to the feed that was there before the import. Returns their ids.
    async fn own_articles(&self, count: usize) -> Vec<i64> {
        let mut ids = Vec::new();
        for number in 0..count {
            let item = NewItem { key: format!("own-{number}"), title: "Title".to_owned(), ..NewItem::default() };
            let imported = ImportedArticles {
                feed: self.own().await,
                keys: vec![item.key.clone()],
                new: vec![(item, Marks::default())],
                ..ImportedArticles::default()
            };
            ids.push(self.library.polls().next_item().await.unwrap());
            self.library.subscriptions().import_articles(&[imported]).await.unwrap();
        }
        ids
    }

    /// Returns whether articles are read, whether they are starred, and their tags.
    async fn marks(&self, articles: &[i64]) -> Vec<(bool, bool, Vec<String>)> {
        let mut marks = Vec::new();
        for id in articles {
            let article = self.library.articles().get(*id).await.unwrap();
            marks.push((article.read, article.starred, self.library.tags().names(*id).await.unwrap()));
        }
        marks
    }

    /// Adds an article to an imported feed, as a refresh does. Returns its id.
    async fn article(&self, feed: usize, starred: bool) -> i64 {
        let item = NewItem { key: format!("item-{feed}"), title: "Title".to_owned(), ..NewItem::default() };
        let imported = ImportedArticles {
            feed: self.feeds[feed],
            keys: vec![item.key.clone()],
            new: vec![(item, Marks { starred, ..Marks::default() })],
            ..ImportedArticles::default()
        };
        let id = self.library.polls().next_item().await.unwrap();
        self.library.subscriptions().import_articles(&[imported]).await.unwrap();
        id
    }
}

#[tokio::test]
async fn undoing_removes_what_the_import_added_and_redoing_restores_it() {
    let f = Fixture::new().await;
    let (titles, folders) = (f.titles().await, f.library.folders().list().await.unwrap());
    for _ in 0..2 {
        let undone = f.library.subscriptions().undo_import(f.step).await.unwrap();
        assert_eq!((undone.feeds, undone.folders, undone.kept.len()), (3, 3, 0));
        assert_eq!((f.titles().await, f.folders().await), (vec!["own".to_owned()], vec!["News".to_owned()]));
        let again = f.library.subscriptions().undo_import(f.step).await;
        assert!(matches!(again, Err(LibraryError::NotFound(_))), "{again:?}");
        f.library.undo(undone.redo.step).await.unwrap();
        assert_eq!(f.titles().await, titles);
        assert_eq!(f.library.folders().list().await.unwrap(), folders);
        let grain = folders.iter().find(|folder| folder.name == "Grain").unwrap().id;
        assert_eq!(f.library.feeds().get(f.feeds[1]).await.unwrap().folder_id, Some(grain));
    }
    assert!(f.library.check(false).await.unwrap().findings.is_empty());
}

#[tokio::test]
async fn feeds_with_articles_that_the_user_marked_since_stay_with_their_folders() {
    let f = Fixture::new().await;
    let (starred, tagged) = (f.article(0, false).await, f.article(1, false).await);
    f.library.articles().mark(&[starred], None, Some(true)).await.unwrap();
    f.library.tags().set(&[tagged], "Later", true).await.unwrap();
    let undone = f.library.subscriptions().undo_import(f.step).await.unwrap();
    assert_eq!(undone.kept, ["rye", "oats"]);
    assert_eq!(f.titles().await, ["own", "rye", "oats"]);
    assert_eq!(f.folders().await, ["News", "Grain"], "empty ones are deleted");
}

#[tokio::test]
async fn marks_that_the_import_brought_do_not_keep_a_feed() {
    let f = Fixture::new().await;
    let starred = f.article(2, true).await;
    let step =
        f.library.subscriptions().remember_import(&f.feeds, &[], GainedMarks::default()).await.unwrap().unwrap().step;
    let undone = f.library.subscriptions().undo_import(step).await.unwrap();
    assert!(undone.kept.is_empty());
    f.library.undo(undone.redo.step).await.unwrap();
    assert!(f.library.articles().get(starred).await.unwrap().starred);
}

#[tokio::test]
async fn what_the_user_changed_since_is_left_alone() {
    let f = Fixture::new().await;
    // Unsubscribed since, and another feed put into the new folder.
    f.library.feeds().unsubscribe(&f.feeds[..1]).await.unwrap();
    f.library.subscriptions().import(&[], &[subscription("butter", &["Dairy"])], |_| true).await.unwrap();
    let undone = f.library.subscriptions().undo_import(f.step).await.unwrap();
    assert_eq!((undone.feeds, f.titles().await), (2, vec!["own".to_owned(), "butter".to_owned()]));
    assert_eq!(f.folders().await, ["News", "Dairy"]);
    // The user subscribed to one again: the other one is still restored.
    f.library.subscriptions().add(&subscription("milk", &[])).await.unwrap();
    f.library.undo(undone.redo.step).await.unwrap();
    assert_eq!(f.titles().await.iter().filter(|title| *title == "milk").count(), 1);
    assert!(f.titles().await.contains(&"oats".to_owned()) && !f.titles().await.contains(&"rye".to_owned()));
}

#[tokio::test]
async fn marks_that_the_user_added_to_articles_that_the_import_marked_keep_their_feeds() {
    let f = Fixture::new().await;
    let (noted, tagged, untouched) = (f.article(0, true).await, f.article(1, true).await, f.article(2, true).await);
    let (imported, _) = f.library.notes().add(untouched, None, 0, "Imported").await.unwrap();
    let step =
        f.library.subscriptions().remember_import(&f.feeds, &[], GainedMarks::default()).await.unwrap().unwrap().step;
    f.library.notes().add(noted, None, 0, "Mine").await.unwrap();
    f.library.tags().set(&[tagged], "Later", true).await.unwrap();
    // Fewer marks than before are no reason to keep a feed.
    f.library.articles().mark(&[untouched], None, Some(false)).await.unwrap();
    let undone = f.library.subscriptions().undo_import(step).await.unwrap();
    assert_eq!((undone.feeds, undone.kept), (1, vec!["rye".to_owned(), "oats".to_owned()]));
    f.library.undo(undone.redo.step).await.unwrap();
    f.library.notes().change(imported.id, Some(2), Some("Imported, and changed")).await.unwrap();
    let undone = f.library.subscriptions().undo_import(step).await.unwrap();
    assert_eq!((undone.feeds, undone.kept.len()), (0, 3));
}

#[tokio::test]
async fn redoing_restores_folders_on_the_level_above_where_theirs_was_deleted() {
    let f = Fixture::new().await;
    let folder = |folders: &[FolderRow], name: &str| folders.iter().find(|row| row.name == name).unwrap().clone();
    let undone = f.library.subscriptions().undo_import(f.step).await.unwrap();
    let news = folder(&f.library.folders().list().await.unwrap(), "News").id;
    f.library.folders().delete(news).await.unwrap();
    f.library.undo(undone.redo.step).await.unwrap();
    assert_eq!(f.titles().await, ["own", "rye", "oats", "milk"]);
    let folders = f.library.folders().list().await.unwrap();
    let grain = folder(&folders, "Grain");
    assert_eq!((grain.parent_id, folders.len()), (None, 3));
    assert_eq!(f.library.feeds().get(f.feeds[1]).await.unwrap().folder_id, Some(grain.id));
    assert_eq!(f.library.feeds().get(f.feeds[0]).await.unwrap().folder_id, None);
}

#[tokio::test]
async fn redoing_restores_subfolders_in_a_folder_that_the_user_created_again() {
    let f = Fixture::new().await;
    let done =
        f.library.subscriptions().import(&[], &[subscription("rice", &["Asia", "Paddy"])], |_| true).await.unwrap();
    let step = f
        .library
        .subscriptions()
        .remember_import(&done.added, &done.folders, GainedMarks::default())
        .await
        .unwrap()
        .unwrap()
        .step;
    let undone = f.library.subscriptions().undo_import(step).await.unwrap();
    let asia = f.library.folders().create("Asia", None).await.unwrap();
    f.library.undo(undone.redo.step).await.unwrap();
    let folders = f.library.folders().list().await.unwrap();
    let paddy = folders.iter().find(|row| row.name == "Paddy").unwrap();
    assert_eq!(paddy.parent_id, Some(asia));
    assert_eq!(f.library.feeds().get(done.added[0]).await.unwrap().folder_id, Some(paddy.id));
}

#[tokio::test]
async fn marks_that_the_import_gave_to_known_articles_are_undone_and_redone() {
    let f = Fixture::new().await;
    let (subscriptions, own) = (f.library.subscriptions(), f.own_articles(4).await);
    f.library.articles().mark(&own[..1], None, Some(true)).await.unwrap();
    let marks = |tags: &[&str]| Marks {
        read: Some(true),
        starred: true,
        hidden: false,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
    };
    let known = vec![(own[0], marks(&["Later"])), (own[1], marks(&[])), (own[2], marks(&["Later"]))];
    assert_eq!(subscriptions.count_gaining(&known).await.unwrap(), 3);
    assert!(f.library.tags().list().await.unwrap().is_empty(), "nothing was stored");
    let (done, gained) = subscriptions
        .import_articles(&[ImportedArticles {
            feed: f.own().await,
            known: known.clone(),
            ..ImportedArticles::default()
        }])
        .await
        .unwrap();
    assert_eq!(done.marked, 3);
    assert_eq!(subscriptions.count_gaining(&known).await.unwrap(), 0);

    let step = subscriptions.remember_import(&[], &[], gained).await.unwrap().unwrap().step;
    let imported = f.marks(&own).await;
    let later = vec!["Later".to_owned()];
    let none = Vec::new();
    assert_eq!(
        imported,
        [(true, true, later.clone()), (true, true, none.clone()), (true, true, later), (false, false, none.clone())]
    );
    for _ in 0..2 {
        let undone = subscriptions.undo_import(step).await.unwrap();
        assert_eq!(
            f.marks(&own).await,
            [
                (false, true, none.clone()),
                (false, false, none.clone()),
                (false, false, none.clone()),
                (false, false, none.clone())
            ],
            "the star of the user stays"
        );
        f.library.undo(undone.redo.step).await.unwrap();
        assert_eq!(f.marks(&own).await, imported);
    }
    // Later changes of the user are neither undone nor redone.
    f.library.articles().mark(&own[1..2], Some(false), Some(false)).await.unwrap();
    let undone = subscriptions.undo_import(step).await.unwrap();
    f.library.undo(undone.redo.step).await.unwrap();
    assert_eq!(f.marks(&own[1..2]).await, [(false, false, none)]);
    assert!(f.library.check(false).await.unwrap().findings.is_empty());
}

#[tokio::test]
async fn an_import_that_changed_nothing_is_not_remembered() {
    let f = Fixture::new().await;
    let known = vec![(f.own_articles(1).await[0], Marks { starred: false, ..Marks::default() })];
    let imported = ImportedArticles { feed: f.own().await, known, ..ImportedArticles::default() };
    let (_, gained) = f.library.subscriptions().import_articles(&[imported]).await.unwrap();
    assert_eq!(f.library.subscriptions().remember_import(&[], &[], gained).await.unwrap(), None);
}

#[tokio::test]
async fn marks_of_articles_that_the_import_added_are_not_undone_with_a_feed_that_stays() {
    let f = Fixture::new().await;
    let article = f.article(0, false).await;
    let known = vec![(article, Marks { starred: true, ..Marks::default() })];
    let imported = ImportedArticles { feed: f.feeds[0], known, ..ImportedArticles::default() };
    let (_, gained) = f.library.subscriptions().import_articles(&[imported]).await.unwrap();
    let step = f.library.subscriptions().remember_import(&f.feeds, &[], gained).await.unwrap().unwrap().step;
    f.library.tags().set(&[article], "Later", true).await.unwrap();
    assert_eq!(f.library.subscriptions().undo_import(step).await.unwrap().kept, ["rye"]);
    assert!(f.library.articles().get(article).await.unwrap().starred);
}

fn tagged(tags: &[&str]) -> Marks {
    Marks { tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..Marks::default() }
}

impl Fixture {
    /// Imports an article of the imported feed "rye" with the tags "Grain" and "Both", and gives the tags "Later" and "Both" to an
    /// article that the library had. Returns the step that undoes it, and the new article.
    async fn import_tags(&self, own: i64) -> (i64, i64) {
        let item = NewItem { key: "rye".to_owned(), title: "Title".to_owned(), ..NewItem::default() };
        let imported = [
            ImportedArticles {
                feed: self.feeds[0],
                keys: vec![item.key.clone()],
                new: vec![(item, tagged(&["Grain", "Both"]))],
                ..ImportedArticles::default()
            },
            ImportedArticles {
                feed: self.own().await,
                known: vec![(own, tagged(&["Later", "Both"]))],
                ..ImportedArticles::default()
            },
        ];
        let id = self.library.polls().next_item().await.unwrap();
        let (_, gained) = self.library.subscriptions().import_articles(&imported).await.unwrap();
        let step = self.library.subscriptions().remember_import(&self.feeds, &[], gained).await.unwrap().unwrap().step;
        (step, id)
    }

    /// Returns the names of all tags, and how many articles have each.
    async fn tags(&self) -> Vec<(String, i64)> {
        self.library.tags().list().await.unwrap().into_iter().map(|tag| (tag.name, tag.items)).collect()
    }

    async fn tag(&self, name: &str) -> i64 {
        self.library.tags().list().await.unwrap().into_iter().find(|tag| tag.name == name).unwrap().id
    }
}

fn counts(tags: &[(&str, i64)]) -> Vec<(String, i64)> {
    tags.iter().map(|(name, items)| ((*name).to_owned(), *items)).collect()
}

#[tokio::test]
async fn tags_that_the_import_created_are_deleted_with_it_and_restored() {
    let f = Fixture::new().await;
    let own = f.own_articles(1).await[0];
    let (step, new) = f.import_tags(own).await;
    let articles = [new, own];
    let imported = (f.library.tags().list().await.unwrap(), f.marks(&articles).await);
    assert_eq!(f.tags().await, counts(&[("Both", 2), ("Grain", 1), ("Later", 1)]));
    for _ in 0..2 {
        let undone = f.library.subscriptions().undo_import(step).await.unwrap();
        assert_eq!(f.tags().await, []);
        f.library.undo(undone.redo.step).await.unwrap();
        assert_eq!((f.library.tags().list().await.unwrap(), f.marks(&articles).await), imported);
    }
    assert!(f.library.check(false).await.unwrap().findings.is_empty());
}

#[tokio::test]
async fn tags_that_the_user_had_uses_or_renamed_stay_when_an_import_is_undone() {
    let f = Fixture::new().await;
    let own = f.own_articles(3).await;
    f.library.tags().set(&own[1..2], "Both", true).await.unwrap();
    f.library.tags().set(&own[1..2], "Both", false).await.unwrap();
    let (step, _) = f.import_tags(own[0]).await;
    f.library.tags().set(&own[2..], "Later", true).await.unwrap();
    f.library.tags().rename(f.tag("Grain").await, "Corn").await.unwrap();
    let undone = f.library.subscriptions().undo_import(step).await.unwrap();
    assert_eq!(f.tags().await, counts(&[("Both", 0), ("Corn", 0), ("Later", 1)]));
    f.library.undo(undone.redo.step).await.unwrap();
    assert_eq!(f.tags().await, counts(&[("Both", 2), ("Corn", 1), ("Later", 2)]));
}

#[tokio::test]
async fn a_tag_that_the_user_created_again_is_used_when_the_import_is_done_again_and_stays() {
    let f = Fixture::new().await;
    let own = f.own_articles(2).await;
    let (step, new) = f.import_tags(own[0]).await;
    let articles = [new, own[0]];
    let imported = f.marks(&articles).await;
    let undone = f.library.subscriptions().undo_import(step).await.unwrap();
    for name in ["both", "Later"] {
        f.library.tags().set(&own[1..], name, true).await.unwrap();
        f.library.tags().set(&own[1..], name, false).await.unwrap();
    }
    let created = f.tag("both").await;
    f.library.undo(undone.redo.step).await.unwrap();
    assert_eq!((f.tags().await, f.tag("both").await), (counts(&[("both", 2), ("Grain", 1), ("Later", 1)]), created));
    let names = |marks: Vec<(bool, bool, Vec<String>)>| -> Vec<Vec<String>> {
        marks.into_iter().map(|(.., tags)| tags.into_iter().map(|tag| tag.to_lowercase()).collect()).collect()
    };
    assert_eq!(names(f.marks(&articles).await), names(imported));
    let undone = f.library.subscriptions().undo_import(step).await.unwrap();
    assert_eq!((undone.feeds, undone.kept.len()), (3, 0), "the tags are those of the import");
    assert_eq!(f.tags().await, counts(&[("both", 0), ("Later", 0)]));
}

#[tokio::test]
async fn a_tag_stays_on_articles_of_a_feed_that_stays_or_was_unsubscribed_by_the_user() {
    let f = Fixture::new().await;
    let own = f.own_articles(2).await;
    let (step, new) = f.import_tags(own[0]).await;
    f.library.tags().set(&own[1..], "Later", true).await.unwrap();
    f.library.articles().mark(&[new], None, Some(true)).await.unwrap();
    let unsubscribed = f.library.feeds().unsubscribe(&[f.own().await]).await.unwrap();
    let undone = f.library.subscriptions().undo_import(step).await.unwrap();
    assert_eq!(undone.kept, ["rye"]);
    assert_eq!(f.tags().await, counts(&[("Both", 1), ("Grain", 1), ("Later", 0)]));
    f.library.undo(unsubscribed.step).await.unwrap();
    assert_eq!(f.tags().await, counts(&[("Both", 1), ("Grain", 1), ("Later", 1)]));
    f.library.undo(undone.redo.step).await.unwrap();
    assert_eq!(f.tags().await, counts(&[("Both", 2), ("Grain", 1), ("Later", 2)]));
}

#[tokio::test]
async fn an_import_that_only_created_tags_can_be_undone() {
    let f = Fixture::new().await;
    let item = NewItem { key: "new".to_owned(), title: "Title".to_owned(), ..NewItem::default() };
    let imported = ImportedArticles {
        feed: f.own().await,
        keys: vec![item.key.clone()],
        new: vec![(item, tagged(&["Later"]))],
        ..ImportedArticles::default()
    };
    let id = f.library.polls().next_item().await.unwrap();
    let (_, gained) = f.library.subscriptions().import_articles(&[imported]).await.unwrap();
    let step = f.library.subscriptions().remember_import(&[], &[], gained).await.unwrap().unwrap().step;
    f.library.tags().set(&[id], "Later", false).await.unwrap();
    let undone = f.library.subscriptions().undo_import(step).await.unwrap();
    assert_eq!(f.tags().await, []);
    f.library.undo(undone.redo.step).await.unwrap();
    assert_eq!(f.tags().await, counts(&[("Later", 0)]));
}
