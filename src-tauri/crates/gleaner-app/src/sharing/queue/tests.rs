#![allow(clippy::unwrap_used)]
use super::*;
use crate::sharing::{
    NewService, add_service, list_services, rename_share_service, save_in_service, send_again, set_service_login,
};
use gleaner_contract::RenameShareService;
use gleaner_library::{Library, NewSubscription, ShareCounts};
use gleaner_testserver::{Reply, Server};
use std::{path::Path, sync::Arc};
use tokio::{runtime::Handle, sync::Notify};

/// Returns an app whose library has articles with links, and their ids.
async fn app(folder: &Path, server: &Server) -> (App, Vec<i64>) {
    let app = App::without_window(folder.join("library"), Handle::current());
    let items: String = (1..=3)
        .map(|n| format!("<item><title>Plum {n}</title><link>https://fruit.example/{n}</link><guid>{n}</guid></item>"))
        .collect();
    server.on(
        "/feed.xml",
        Reply::ok(format!("<rss version=\"2.0\"><channel><title>Fruit</title>{items}</channel></rss>")),
    );
    let library = app.core().await.unwrap().library;
    let new = NewSubscription::new(server.url("/feed.xml"));
    library.subscriptions().add(&new).await.unwrap();
    crate::poll(&app, gleaner_polling::Scope::All, |_| {}).await.unwrap();
    let ids = ids(&library).await;
    assert_eq!(ids.len(), 3);
    (app, ids)
}

async fn ids(library: &Library) -> Vec<i64> {
    let query = gleaner_library::ListQuery::newest(gleaner_library::Source::All, 10);
    library.lists().page(query).await.unwrap().0.into_iter().map(|row| row.id).collect()
}

fn linkding(server: &Server) -> NewService {
    NewService { address: server.url("/"), password: "sesame".to_owned(), in_library: true, ..NewService::default() }
}

#[tokio::test]
async fn articles_are_queued_while_a_service_fails_and_sent_once_when_it_works() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let (app, ids) = app(folder.path(), &server).await;
    server.on("/api/user/profile/", Reply::ok("{}"));
    let service = add_service(&app, Kind::Linkding, linkding(&server)).await.unwrap();
    assert_eq!((service.name.as_str(), service.keyring_entry), ("Linkding", None));

    server.on("/api/bookmarks/", Reply::status(500));
    let shared = save_in_service(&app, service.id, &ids).await.unwrap();
    assert_eq!((shared.saved, shared.waiting), (0, 3));
    assert_eq!(shared.error.unwrap().code, ErrorCode::HttpStatus);
    assert_eq!(server.requests_to("/api/bookmarks/").len(), 1, "the others would fail too");

    // The second one is refused, which does not hold up the others.
    server.forget_requests();
    let saved = Reply::status(201).body(r#"{"id": 1}"#);
    server.on_each("/api/bookmarks/", [saved.clone(), Reply::status(400), saved]);
    let done = send_again(&app, service.id).await.unwrap();
    assert_eq!(done, (2, ShareCounts { waiting: 0, refused: 1 }));
    let listed = list_services(&app).await.unwrap();
    assert_eq!((listed[0].refused, &listed[0].error), (1, &None));

    // The reason of a refusal is not that of an earlier failure.
    server.on("/api/bookmarks/", Reply::status(500));
    save_in_service(&app, service.id, &ids[..1]).await.unwrap();
    server.on("/api/bookmarks/", Reply::status(400));
    let shared = save_in_service(&app, service.id, &ids).await.unwrap();
    assert_eq!((shared.refused, shared.error.unwrap().code), (3, ErrorCode::ServiceRefusedArticle));
    assert_eq!(list_services(&app).await.unwrap()[0].error, None);
    server.forget_requests();

    // What was discarded can be queued again.
    let step = crate::sharing::discard(&app, service.id).await.unwrap().step;
    assert_eq!(list_services(&app).await.unwrap()[0].refused, 0);
    crate::sharing::restore_shares(&app, gleaner_contract::UndoStep { undo: step }).await.unwrap();
    assert_eq!(list_services(&app).await.unwrap()[0].refused, 3);
    crate::sharing::discard(&app, service.id).await.unwrap();

    // A service that asked to wait is left alone, also by the user.
    server.on("/api/bookmarks/", Reply::status(429).header("Retry-After", "600"));
    for _ in 0..2 {
        let shared = save_in_service(&app, service.id, &ids[..1]).await.unwrap();
        assert_eq!(shared.error.unwrap().code, ErrorCode::RetryAfterUntil);
    }
    assert_eq!(send_again(&app, service.id).await.unwrap().1.waiting, 1);
    assert_eq!(server.requests_to("/api/bookmarks/").len(), 1);
    app.quit().await.unwrap();
}

#[tokio::test]
async fn an_article_with_which_a_service_fails_does_not_hold_up_the_others() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let (app, ids) = app(folder.path(), &server).await;
    server.on("/api/user/profile/", Reply::ok("{}"));
    let service = add_service(&app, Kind::Linkding, linkding(&server)).await.unwrap().id;
    let library = app.core().await.unwrap().library;
    let failing = library.articles().get(ids[0]).await.unwrap().url.unwrap();
    server.on_request("/api/bookmarks/", move |request| match request.body_text().contains(&failing) {
        true => Reply::status(500),
        false => Reply::status(201).body(r#"{"id": 1}"#),
    });
    assert_eq!(save_in_service(&app, service, &ids).await.unwrap().waiting, 3);
    let left = ShareCounts { waiting: 1, refused: 0 };
    assert_eq!(send_again(&app, service).await.unwrap(), (2, left));
    assert_eq!(send_again(&app, service).await.unwrap(), (0, left), "it is tried again");
    assert_eq!(library.share_services().next(service, None).await.unwrap().unwrap().article, ids[0]);
    drop(library);
    app.quit().await.unwrap();
}

#[tokio::test]
async fn a_service_that_is_slow_does_not_hold_up_another() {
    let (folder, slow, fast) = (tempfile::tempdir().unwrap(), Server::start().await, Server::start().await);
    let (app, ids) = app(folder.path(), &fast).await;
    let mut services = Vec::new();
    for server in [&slow, &fast] {
        server.on("/api/user/profile/", Reply::ok("{}"));
        server.on("/api/bookmarks/", Reply::status(201).body(r#"{"id": 1}"#));
        let mut new = linkding(server);
        if services.is_empty() {
            // One request at a time goes to each host.
            new.address = new.address.replace("127.0.0.1", "localhost");
        }
        services.push(add_service(&app, Kind::Linkding, new).await.unwrap().id);
    }
    let requested = std::sync::Arc::new(tokio::sync::Notify::new());
    let notified = requested.clone();
    slow.on_request("/api/bookmarks/", move |_| {
        notified.notify_one();
        Reply::status(201).hang_before_head()
    });
    let saving = tokio::spawn({
        let (app, ids, service) = (app.clone(), ids.clone(), services[0]);
        async move { save_in_service(&app, service, &ids).await }
    });
    requested.notified().await;
    assert_eq!(save_in_service(&app, services[1], &ids).await.unwrap().saved, 3);
    assert!(!saving.is_finished());
    saving.abort();
    app.quit().await.unwrap();
}

#[tokio::test]
async fn a_wrong_login_is_refused_and_not_stored() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let (app, _) = app(folder.path(), &server).await;
    server.on("/api/user/profile/", Reply::status(401));
    let error = add_service(&app, Kind::Linkding, linkding(&server)).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ServerLogin);
    assert!(list_services(&app).await.unwrap().is_empty());
    app.quit().await.unwrap();
}

#[tokio::test]
async fn a_webhook_keeps_its_token_unless_it_moves_to_another_server() {
    let (folder, server, moved) = (tempfile::tempdir().unwrap(), Server::start().await, Server::start().await);
    let (app, ids) = app(folder.path(), &server).await;
    let hook = |address: String, password: &str| NewService { address, password: password.into(), ..linkding(&server) };
    let service = add_service(&app, Kind::Webhook, hook(server.url("/old"), "sesame")).await.unwrap();
    for (server, path, expected) in [(&server, "/new", Some("Bearer sesame")), (&moved, "/", None)] {
        server.on(path, Reply::ok(""));
        set_service_login(&app, service.id, hook(server.url(path), "")).await.unwrap();
        save_in_service(&app, service.id, &ids[..1]).await.unwrap();
        let sent = server.requests_to(path).pop().unwrap();
        assert_eq!(sent.text("Authorization").as_deref(), expected, "{path}");
    }
    // A name that the user did not choose is that of the host.
    let moved = hook(moved.url("/").replace("127.0.0.1", "localhost"), "");
    set_service_login(&app, service.id, moved).await.unwrap();
    let named = NewService { name: Some("Mine".to_owned()), ..hook(server.url("/old"), "") };
    let named = add_service(&app, Kind::Webhook, named).await.unwrap();
    set_service_login(&app, named.id, hook(server.url("/new"), "")).await.unwrap();
    let names = list_services(&app).await.unwrap().into_iter().map(|service| service.name).collect::<Vec<_>>();
    assert_eq!((service.name.as_str(), names), ("127.0.0.1", vec!["localhost".to_owned(), "Mine".to_owned()]));
    // No two services get the same name or address.
    add_service(&app, Kind::Webhook, hook(server.url("/one"), "")).await.unwrap();
    let two = add_service(&app, Kind::Webhook, hook(server.url("/two"), "")).await.unwrap();
    assert_eq!(two.name, "127.0.0.1 (2)");
    let at_localhost = |path: &str| hook(server.url(path).replace("127.0.0.1", "localhost"), "");
    set_service_login(&app, two.id, at_localhost("/two")).await.unwrap();
    assert_eq!(list_services(&app).await.unwrap().pop().unwrap().name, "localhost (2)");
    let error = set_service_login(&app, two.id, hook(server.url("/one"), "")).await.unwrap_err();
    assert_eq!(error.code(), ErrorCode::ServiceExists);
    app.quit().await.unwrap();
}

#[tokio::test]
async fn a_service_renamed_while_its_server_checks_a_login_keeps_the_name() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let (app, _) = app(folder.path(), &server).await;
    server.on("/api/user/profile/", Reply::ok("{}"));
    let id = add_service(&app, Kind::Linkding, linkding(&server)).await.unwrap().id;
    let (reply, gate) = Reply::ok("{}").held();
    let asked = Arc::new(Notify::new());
    let asks = Arc::clone(&asked);
    server.on_request("/api/user/profile/", move |_| {
        asks.notify_one();
        reply.clone()
    });
    let rename = async {
        asked.notified().await;
        rename_share_service(&app, RenameShareService { service_id: id, name: "Mine".to_owned() }).await.unwrap();
        gate.open();
    };
    let (changed, ()) = tokio::join!(set_service_login(&app, id, linkding(&server)), rename);
    changed.unwrap();
    assert_eq!(list_services(&app).await.unwrap()[0].name, "Mine");
    app.quit().await.unwrap();
}

#[tokio::test]
async fn a_login_in_the_address_of_a_webhook_is_sent_and_not_stored_with_it() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let (app, ids) = app(folder.path(), &server).await;
    server.on("/hook", Reply::ok(""));
    let with_login = |login: &str| server.url("/hook").replacen("://", &format!("://{login}@"), 1);
    let hook = |address: String| NewService { address, password: String::new(), ..linkding(&server) };
    let service = add_service(&app, Kind::Webhook, hook(with_login("ada:sesame"))).await.unwrap();
    assert_eq!(service.address, server.url("/hook"));
    for (address, expected) in [
        (String::new(), "Basic YWRhOnNlc2FtZQ=="),
        (server.url("/hook"), "Basic YWRhOnNlc2FtZQ=="),
        (with_login("eve:pw"), "Basic ZXZlOnB3"),
        (with_login("key"), "Basic a2V5Og=="),
        (server.url("/hook"), "Basic a2V5Og=="),
    ] {
        set_service_login(&app, service.id, hook(address)).await.unwrap();
        save_in_service(&app, service.id, &ids[..1]).await.unwrap();
        let sent = server.requests_to("/hook").pop().unwrap();
        assert_eq!(sent.text("Authorization").as_deref(), Some(expected));
    }
    assert_eq!(list_services(&app).await.unwrap()[0].address, server.url("/hook"));

    // An older version stored it with the address.
    let library = app.core().await.unwrap().library;
    let services = library.share_services();
    let old = ShareService { address: with_login("key"), secret: None, ..services.get(service.id).await.unwrap() };
    services.set_login(&old).await.unwrap();
    assert_eq!(list_services(&app).await.unwrap()[0].address, server.url("/hook"));
    for change in [false, true] {
        if change {
            services.set_login(&old).await.unwrap();
            set_service_login(&app, service.id, hook(String::new())).await.unwrap();
        }
        save_in_service(&app, service.id, &ids[..1]).await.unwrap();
        let sent = server.requests_to("/hook").pop().unwrap();
        assert_eq!(sent.text("Authorization").as_deref(), Some("Basic a2V5Og=="));
        assert_eq!(services.get(service.id).await.unwrap().address, server.url("/hook"));
    }
    drop(library);
    app.quit().await.unwrap();
}

#[tokio::test]
async fn a_token_that_cannot_be_read_is_not_lost_when_the_address_changes() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let (app, _) = app(folder.path(), &server).await;
    let hook = NewService { address: server.url("/old"), password: String::new(), ..linkding(&server) };
    let service = add_service(&app, Kind::Webhook, hook).await.unwrap();
    let library = app.core().await.unwrap().library;
    let broken = ShareService { secret: Some(gleaner_library::Secret("{".to_owned())), ..service.clone() };
    library.share_services().set_login(&broken).await.unwrap();
    let moved = NewService { address: server.url("/new"), password: String::new(), ..linkding(&server) };
    assert!(set_service_login(&app, service.id, moved).await.is_err());
    assert_eq!(library.share_services().get(service.id).await.unwrap(), broken);
    drop(library);
    app.quit().await.unwrap();
}

#[tokio::test]
async fn articles_are_saved_in_a_folder_once() {
    let (folder, server) = (tempfile::tempdir().unwrap(), Server::start().await);
    let (app, ids) = app(folder.path(), &server).await;
    let notes = folder.path().join("Notes");
    std::fs::create_dir(&notes).unwrap();
    let new = |address: &str| NewService { address: address.to_owned(), ..NewService::default() };
    assert!(add_service(&app, Kind::Folder, new("relative")).await.is_err());
    let service = add_service(&app, Kind::Folder, new(notes.to_str().unwrap())).await.unwrap();
    assert_eq!(service.name, "Notes");
    let other = folder.path().join("other/Notes");
    std::fs::create_dir_all(&other).unwrap();
    let again = add_service(&app, Kind::Folder, new(&format!("{}/", notes.display()))).await.unwrap_err();
    let named = NewService { name: Some("notes".to_owned()), ..new(other.to_str().unwrap()) };
    let named = add_service(&app, Kind::Folder, named).await.unwrap_err();
    assert_eq!([again.code(), named.code()], [ErrorCode::ServiceExists; 2]);
    let second = add_service(&app, Kind::Folder, new(other.to_str().unwrap())).await.unwrap();
    assert_eq!(second.name, "Notes (2)");
    let rename = async |service: &ShareService, name: &str| {
        rename_share_service(&app, RenameShareService { service_id: service.id, name: name.to_owned() }).await
    };
    rename(&second, "  Vault ").await.unwrap();
    rename(&second, "VAULT").await.unwrap();
    let taken = [rename(&second, "notes").await, rename(&second, " ").await].map(|done| done.unwrap_err().code());
    assert_eq!(taken, [ErrorCode::ServiceExists, ErrorCode::InvalidInput]);
    let names = list_services(&app).await.unwrap().into_iter().map(|service| service.name).collect::<Vec<_>>();
    assert_eq!(names, ["Notes", "VAULT"]);
    for _ in 0..2 {
        let shared = save_in_service(&app, service.id, &ids).await.unwrap();
        assert_eq!((shared.saved, shared.waiting, shared.error), (3, 0, None));
    }
    assert_eq!(std::fs::read_dir(&notes).unwrap().count(), 3);
    let text = std::fs::read_to_string(notes.join("Plum 1.md")).unwrap();
    assert!(text.contains("url: \"https://fruit.example/1\"") && text.contains("# Plum 1"), "{text}");
    app.quit().await.unwrap();
}

#[test]
fn the_time_until_the_next_attempt_grows_to_a_limit() {
    let after = |failures| retry_at(&ShareError::InvalidResponse, failures, 0);
    assert_eq!([0, 1, 2].map(after), [Some(60_000), Some(120_000), Some(240_000)]);
    assert_eq!(after(9), Some(MAX_RETRY));
    assert_eq!(after(i64::MAX), Some(MAX_RETRY));
    assert_eq!(retry_at(&ShareError::Login, 0, 0), None);
    assert_eq!(retry_without_secret(ErrorCode::SecretUnreadable, 0), Some(KEYRING_RETRY), "it may be unlocked");
    assert_eq!(retry_without_secret(ErrorCode::SecretGone, 0), None);
    assert_eq!(retry_at(&ShareError::Wait(Duration::MAX), 0, 0), Some(MAX_WAIT));
}
