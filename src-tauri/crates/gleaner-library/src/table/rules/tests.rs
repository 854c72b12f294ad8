#![allow(clippy::unwrap_used)]
use super::*;
use crate::{Incoming, Intent, Library, NewItem, NewSubscription};

fn rule(name: &str) -> NewRule {
    let (query, actions) = ("wheat".to_owned(), vec![Action::Hide, Action::Tag("To read".to_owned())]);
    NewRule { name: name.to_owned(), query, actions, ..NewRule::default() }
}

async fn library() -> (tempfile::TempDir, Library, i64) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let (url, path) = ("https://a.example/feed".to_owned(), vec!["Land".to_owned()]);
    let feed = library
        .subscriptions()
        .add(&NewSubscription { url, folder: path, ..NewSubscription::default() })
        .await
        .unwrap();
    (folder, library, feed)
}

async fn names(library: &Library) -> Vec<String> {
    library.rules().list().await.unwrap().into_iter().map(|rule| rule.name).collect()
}

#[test]
fn an_action_survives_storing() {
    for action in ["read", "star", "tag:To read", "hide", "notify", "keep", "text"] {
        assert_eq!(action.parse::<Action>().unwrap().to_string(), action);
    }
    for bad in ["", "tag:", "tag: ", "sing", "Read"] {
        assert!(bad.parse::<Action>().is_err(), "{bad:?}");
    }
}

#[tokio::test]
async fn each_change_can_be_undone() {
    let (_folder, library, feed) = library().await;
    let (one, added) = library.rules().add(&rule("One")).await.unwrap();
    let (two, _) = library.rules().add(&rule("")).await.unwrap();
    library.rules().add(&rule(" Three\n3 ")).await.unwrap();
    assert_eq!(names(&library).await, ["One", "wheat", "Three 3"]);
    let as_it_was = library.rules().list().await.unwrap();

    let scope = RuleScope::Feed(feed);
    let changed =
        library.rules().change(one, &NewRule { scope, actions: vec![Action::Keep], ..rule("Uno") }).await.unwrap();
    let rested = library.rules().set_enabled(two, false).await.unwrap();
    let ordered = library.rules().reorder(&[two, 99, one]).await.unwrap();
    assert_eq!(names(&library).await, ["wheat", "Uno", "Three 3"]);
    let deleted = library.rules().delete(one).await.unwrap();
    assert_eq!(names(&library).await, ["wheat", "Three 3"]);
    assert!(matches!(library.rules().delete(one).await, Err(LibraryError::NotFound("rule"))));
    for step in [deleted, ordered, rested, changed] {
        library.undo(step.step).await.unwrap();
    }
    assert_eq!(library.rules().list().await.unwrap(), as_it_was);
    library.undo(added.step).await.unwrap();
    assert_eq!(names(&library).await, ["wheat", "Three 3"]);
}

#[tokio::test]
async fn undo_restores_only_what_its_step_changed() {
    let (_folder, library, _) = library().await;
    let (one, _) = library.rules().add(&rule("One")).await.unwrap();
    let (two, _) = library.rules().add(&rule("Two")).await.unwrap();
    let steps =
        [library.rules().reorder(&[two, one]).await.unwrap(), library.rules().set_enabled(one, false).await.unwrap()];
    let changed = library.rules().change(one, &NewRule { query: "rye".to_owned(), ..rule("Uno") }).await.unwrap();
    for step in steps {
        library.undo(step.step).await.unwrap();
    }
    let rules = library.rules().list().await.unwrap();
    assert_eq!(
        (rules[0].id, rules[0].name.as_str(), rules[0].query.as_str(), rules[0].enabled),
        (one, "Uno", "rye", true)
    );
    library.rules().set_enabled(one, false).await.unwrap();
    library.undo(changed.step).await.unwrap();
    let one = library.rules().get(one).await.unwrap();
    assert_eq!((one.name.as_str(), one.query.as_str(), one.enabled), ("One", "wheat", false));
}

#[tokio::test]
async fn refuses_an_empty_rule() {
    let (_folder, library, _) = library().await;
    for bad in [
        NewRule { actions: Vec::new(), ..rule("x") },
        NewRule { query: "is:".to_owned(), ..rule("x") },
        NewRule { query: String::new(), ..rule(" ") },
        NewRule { query: "€".to_owned(), ..rule("x") },
        NewRule { query: "-\"!\"".to_owned(), ..rule("x") },
        NewRule { actions: vec![Action::Tag(" ".to_owned())], ..rule("x") },
    ] {
        assert!(matches!(library.rules().add(&bad).await, Err(LibraryError::Refused(_))), "{bad:?}");
    }
    for (scope, what) in [(RuleScope::Feed(99), "feed"), (RuleScope::Folder(99), "folder")] {
        let refused = library.rules().add(&NewRule { scope, ..rule("x") }).await;
        assert!(matches!(refused, Err(LibraryError::NotFound(missing)) if missing == what), "{refused:?}");
    }
    assert_eq!(library.rules().list().await.unwrap(), []);
}

#[tokio::test]
async fn a_rule_is_deleted_and_restored_with_its_folder() {
    let (_folder, library, feed) = library().await;
    let land = library.folders().list().await.unwrap()[0].id;
    let scope = RuleScope::Folder(land);
    let (id, _) = library.rules().add(&NewRule { scope, ..rule("Land") }).await.unwrap();
    let (gone, _) = library.rules().add(&NewRule { scope, ..rule("Gone") }).await.unwrap();
    let deleted = library.rules().delete(gone).await.unwrap();
    let changed = library.rules().change(id, &NewRule { scope, ..rule("Country") }).await.unwrap();
    let ruled = vec![Ruled { rule: id, did: vec![Action::Hide] }];
    let item = NewItem { key: "1".to_owned(), ruled, ..NewItem::default() };
    let incoming = Incoming::of_items(feed, vec![Intent::Insert(Box::new(item))]);
    library.polls().store(&[&incoming]).await.unwrap();

    let step = library.folders().delete(land).await.unwrap();
    assert_eq!(library.rules().list().await.unwrap(), [], "it holds nowhere, and not everywhere");
    assert!(library.rules().applied_to(1).await.unwrap()[0].deleted);
    for step in [deleted.step, changed.step] {
        let refused = library.undo(step).await;
        assert!(matches!(refused, Err(LibraryError::Refused(Refusal::RuleFolderDeleted))), "{refused:?}");
    }
    assert_eq!(library.rules().list().await.unwrap(), []);
    library.undo(step.step).await.unwrap();
    let back = library.rules().list().await.unwrap();
    assert_eq!((back.len(), back[0].id, back[0].touched), (1, id, 1));
    assert_eq!(back[0].scope, scope, "the folder has the number that it had");
    library.undo(deleted.step).await.unwrap();
    assert_eq!(library.rules().get(gone).await.unwrap().scope, scope, "not everywhere");
    library.undo(changed.step).await.unwrap();
    assert_eq!(library.rules().get(id).await.unwrap().name, "Land");
}

#[tokio::test]
async fn merging_moves_the_rules_of_a_feed() {
    let (_folder, library, feed) = library().await;
    let other = library.subscriptions().add(&NewSubscription::new("https://b.example/feed")).await.unwrap();
    let (id, _) = library.rules().add(&NewRule { scope: RuleScope::Feed(feed), ..rule("x") }).await.unwrap();
    let step = library.subscriptions().merge(feed, other).await.unwrap();
    assert_eq!(library.rules().get(id).await.unwrap().scope, RuleScope::Feed(other));
    library.undo(step.step).await.unwrap();
    assert_eq!(library.rules().get(id).await.unwrap().scope, RuleScope::Feed(feed));
    // A change of its scope since is not undone with the merge.
    let step = library.subscriptions().merge(feed, other).await.unwrap();
    let scope = RuleScope::Folder(library.folders().list().await.unwrap()[0].id);
    library.rules().change(id, &NewRule { scope, ..rule("x") }).await.unwrap();
    library.undo(step.step).await.unwrap();
    assert_eq!(library.rules().get(id).await.unwrap().scope, scope);
}
