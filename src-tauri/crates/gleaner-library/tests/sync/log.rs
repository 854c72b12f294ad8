//! The history of marks on articles of an account, and the log of its synchronisations: each change has its cause, and both are limited.

use super::{Fixture, item, name};
use gleaner_library::{
    Action, Cause, Flip, Incoming, Intent, MarkKind, NewItem, NewRule, NewSubscription, Parameters, RejectionKind,
    RemoteState, Ruled, SyncLogEntry,
};

/// The history of an article, oldest change first, such as `read on here`.
async fn history(f: &Fixture, remote: &str) -> Vec<String> {
    let changes = f.library.sync().mark_changes(f.id(remote).await).await.unwrap();
    let text = |change: gleaner_library::MarkChange| {
        let kind = name(change.kind);
        let cause = match change.cause {
            Cause::Rule(_) => change.rule.unwrap(),
            Cause::Server | Cause::Sent => format!("{:?} {}", change.cause, change.account.unwrap()),
            cause => format!("{cause:?}"),
        };
        format!("{kind} {} {cause}", if change.on { "on" } else { "off" })
    };
    changes.into_iter().rev().map(text).collect()
}

#[tokio::test]
async fn each_change_of_a_mark_has_its_cause() {
    let f = Fixture::new().await;
    let a = f.id("a").await;
    assert_eq!(f.library.sync().origin(a).await.unwrap().unwrap().0, "Server");
    let read = f.library.articles().mark(&[a], Some(true), None).await.unwrap();
    f.send_all().await;
    f.library.undo(read.step).await.unwrap();
    f.library.tags().set(&[a], "Boats", true).await.unwrap();
    f.send_all().await;
    let flips = [(MarkKind::Read, true), (MarkKind::Starred, true), (MarkKind::Label("Boats".to_owned()), false)];
    for (kind, on) in flips {
        f.library.sync().apply(f.account, &[Flip { remote_id: "a".to_owned(), kind, on }]).await.unwrap();
    }
    assert_eq!(
        history(&f, "a").await,
        [
            "read on Here",
            "read on Sent Server",
            "read off Undo",
            "Boats on Here",
            "Boats on Sent Server",
            "read off Sent Server",
            "read on Server Server",
            "starred on Server Server",
            "Boats off Server Server",
        ]
    );
}

#[tokio::test]
async fn rules_and_duplicates_are_causes_of_marks_on_new_articles() {
    let f = Fixture::new().await;
    let rule = NewRule { name: "Boats".to_owned(), actions: vec![Action::Read], ..NewRule::default() };
    let (rule, _) = f.library.rules().add(&rule).await.unwrap();
    let ruled = vec![Ruled { rule, did: vec![Action::Read, Action::Tag("Boats".to_owned())] }];
    let (new, state) = item("d", false, false, &[]);
    f.store("f1", vec![(NewItem { read: true, ruled, ..new }, state)], &[]).await;
    assert_eq!(history(&f, "d").await, ["read on Boats", "Boats on Boats"]);
    f.library.articles().mark(&[f.id("a").await], Some(true), None).await.unwrap();
    let copy = NewItem { key: "copy".to_owned(), digest: b"copy".to_vec(), ..item("a", false, false, &[]).0 };
    let state = RemoteState { remote_id: "copy".to_owned(), ..RemoteState::default() };
    f.store("f2", vec![(copy, state)], &[]).await;
    assert_eq!(history(&f, "copy").await, ["read on Duplicate"]);
}

#[tokio::test]
async fn articles_of_other_feeds_have_no_history() {
    let f = Fixture::new().await;
    let feed = f.library.subscriptions().add(&NewSubscription::new("https://local.example/feed")).await.unwrap();
    let item = item("local", false, false, &[]).0;
    let incoming = Incoming::of_items(feed, vec![Intent::Insert(Box::new(item))]);
    f.library.polls().store(&[&incoming]).await.unwrap();
    let local = f.library.polls().next_item().await.unwrap() - 1;
    f.library.articles().mark(&[local], Some(true), Some(true)).await.unwrap();
    assert_eq!(f.library.sync().mark_changes(local).await.unwrap(), []);
    assert_eq!(f.library.sync().origin(local).await.unwrap(), None);
}

#[tokio::test]
async fn the_log_of_an_account_is_limited_and_counts_equal_failures_once() {
    let f = Fixture::new().await;
    let sync = f.library.sync();
    let failed = |at, code: &str| SyncLogEntry {
        at,
        requests: 1,
        error_code: Some(code.to_owned()),
        error_parameters: Parameters([("host".to_owned(), "server.example".to_owned())].into()),
        times: 1,
        ..SyncLogEntry::default()
    };
    for at in 1..=3 {
        sync.write_log(f.account, &failed(at, "timeout")).await.unwrap();
    }
    let rejections = vec![(RejectionKind::Refused, "Feed".to_owned())];
    let done = SyncLogEntry { at: 4, new_items: 2, rejections, times: 1, ..SyncLogEntry::default() };
    sync.write_log(f.account, &done).await.unwrap();
    sync.write_log(f.account, &failed(5, "timeout")).await.unwrap();
    sync.write_log(f.account, &failed(6, "offline")).await.unwrap();
    let log = sync.log(f.account).await.unwrap();
    let short: Vec<_> = log.iter().map(|entry| (entry.at, entry.times, entry.requests)).collect();
    assert_eq!(short, [(6, 1, 1), (5, 1, 1), (4, 1, 0), (3, 3, 3)]);
    assert_eq!(log[2], done);
    for at in 10..300 {
        sync.write_log(f.account, &SyncLogEntry { at, changed: 1, ..done.clone() }).await.unwrap();
    }
    let log = sync.log(f.account).await.unwrap();
    assert_eq!((log.len(), log[0].at, log[199].at), (200, 299, 100));
}

#[tokio::test]
async fn options_of_an_account_are_stored_and_more_history_is_downloaded_once() {
    let f = Fixture::new().await;
    let accounts = f.library.accounts();
    let before = accounts.get(f.account).await.unwrap();
    assert_eq!((before.sync_minutes, before.history, before.extend_history), (15, 100, false));
    accounts.set_options(f.account, 0, 50).await.unwrap();
    assert!(!accounts.get(f.account).await.unwrap().extend_history, "less is no reason to download");
    accounts.set_options(f.account, 60, 5000).await.unwrap();
    accounts.set_options(f.account, 60, 4000).await.unwrap();
    let after = accounts.get(f.account).await.unwrap();
    assert_eq!((after.sync_minutes, after.history, after.extend_history), (60, 4000, true));
    accounts.set_history_extended(f.account).await.unwrap();
    assert!(!accounts.get(f.account).await.unwrap().extend_history);
}
