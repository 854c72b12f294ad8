//! The adapters against a server that responds as each API is documented, and as broken networks do.
#![allow(clippy::unwrap_used)]

use gleaner_fetch::{Fetcher, Limits};
use gleaner_share::{Article, Kind, ShareError, Target, Web, service};
use gleaner_testserver::{Reply, Request, Server};
use serde_json::{Value, json};
use std::time::Duration;

/// The login that the server accepts, and where.
const AUTHORIZED: &[(Kind, &str)] = &[
    (Kind::Wallabag, "Bearer a-token"),
    (Kind::Readwise, "Token sesame"),
    // alice:sesame
    (Kind::Instapaper, "Basic YWxpY2U6c2VzYW1l"),
    (Kind::Linkding, "Token sesame"),
    (Kind::Karakeep, "Bearer sesame"),
    (Kind::Webhook, "Bearer sesame"),
];

/// Paths of the requests that check the login, and that save an article.
const PATHS: &[(Kind, &str, &str)] = &[
    (Kind::Wallabag, "/oauth/v2/token", "/api/entries.json"),
    (Kind::Readwise, "/api/v2/auth/", "/api/v3/save/"),
    (Kind::Instapaper, "/api/authenticate", "/api/add"),
    (Kind::Linkding, "/api/user/profile/", "/api/bookmarks/"),
    (Kind::Karakeep, "/api/v1/users/me", "/api/v1/bookmarks"),
    (Kind::Zotero, "/connector/ping", "/connector/saveItems"),
    (Kind::Webhook, "/none", "/"),
];

fn paths(kind: Kind) -> (&'static str, &'static str) {
    PATHS.iter().find(|(of, ..)| *of == kind).map(|(_, check, save)| (*check, *save)).unwrap()
}

fn form(request: &Request) -> Vec<(String, String)> {
    url::form_urlencoded::parse(&request.body).into_owned().collect()
}

/// Answers as the API documents it.
fn documented_reply(kind: Kind, request: &Request) -> Reply {
    let login = AUTHORIZED.iter().find(|(of, _)| *of == kind).map(|(_, login)| *login);
    let refused = if kind == Kind::Instapaper { 403 } else { 401 };
    let json = |status: u16, value: Value| {
        Reply::status(status).header("Content-Type", "application/json").body(value.to_string())
    };
    if kind == Kind::Wallabag && request.path() == "/oauth/v2/token" {
        let form = form(request);
        let has = |name: &str, value: &str| form.contains(&(name.to_owned(), value.to_owned()));
        let fine = has("grant_type", "password")
            && has("client_id", "client")
            && has("client_secret", "client secret")
            && has("username", "alice")
            && has("password", "sesame");
        return match fine {
            true => json(200, json!({ "access_token": "a-token", "expires_in": 3600, "token_type": "bearer" })),
            false => json(400, json!({ "error": "invalid_grant" })),
        };
    }
    if let Some(login) = login
        && request.text("Authorization").as_deref() != Some(login)
    {
        return Reply::status(refused);
    }
    if kind == Kind::Zotero && request.text("X-Zotero-Connector-API-Version").is_none() {
        return Reply::status(403);
    }
    let (check, save) = paths(kind);
    match (kind, request.path()) {
        (Kind::Readwise, path) if path == check => Reply::status(204),
        (Kind::Instapaper, path) if path == check => Reply::ok("200"),
        (Kind::Instapaper, path) if path == save => Reply::status(201).body("201"),
        (Kind::Zotero, path) if path == check => json(200, json!({ "prefs": {} })),
        (Kind::Zotero, path) if path == save => Reply::status(201),
        (Kind::Linkding, path) if path == check => json(200, json!({ "theme": "auto" })),
        (Kind::Linkding, "/api/bookmarks/check/") => {
            json(200, json!({ "bookmark": null, "metadata": {}, "auto_tags": [] }))
        }
        (Kind::Linkding | Kind::Readwise, path) if path == save => json(201, json!({ "id": 7 })),
        (Kind::Wallabag, path) if path == save => json(200, json!({ "id": 7 })),
        (Kind::Karakeep, path) if path == check || path == save => json(201, json!({ "id": "a/b" })),
        (Kind::Karakeep, "/api/v1/bookmarks/a%2Fb/tags") => json(200, json!({ "attached": ["1"] })),
        (Kind::Webhook, path) if path == save => Reply::status(204),
        _ => Reply::status(404),
    }
}

fn target(server: &Server, secret: &str) -> Target {
    Target {
        address: server.url("/"),
        user: "alice".to_owned(),
        secret: secret.to_owned(),
        client_id: "client".to_owned(),
        client_secret: "client secret".to_owned(),
    }
}

fn article() -> Article {
    Article {
        id: "gleaner-1-2".to_owned(),
        title: "Plums & jam".to_owned(),
        url: Some("https://fruit.example/plums?a=1&b=2".to_owned()),
        author: Some("Ann".to_owned()),
        feed: "Fruit".to_owned(),
        published: Some("2026-05-03T10:00:00Z".to_owned()),
        summary: "All about plums".to_owned(),
        tags: vec!["to read".to_owned(), "a,b".to_owned()],
        markdown: "# Plums\n".to_owned(),
    }
}

fn web() -> Web {
    Web::new(Fetcher::new(Limits::default()).unwrap())
}

fn kinds() -> impl Iterator<Item = Kind> {
    PATHS.iter().map(|(kind, ..)| *kind)
}

#[tokio::test]
async fn every_service_checks_the_login_and_saves_an_article() {
    for kind in kinds() {
        let server = Server::start().await;
        server.on_request("*", move |request| documented_reply(kind, request));
        let service = service(kind, target(&server, "sesame")).unwrap();
        service.check(&web()).await.unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        service.save(&web(), &article()).await.unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        let (_, save) = paths(kind);
        let saved = server.requests().into_iter().find(|request| request.path() == save).unwrap();
        assert_eq!(saved.method, "POST");
        // The title and the address arrive whole, in either form of body.
        let values: Vec<String> = match serde_json::from_slice::<Value>(&saved.body) {
            Ok(Value::Object(fields)) => {
                let fields = match fields.get("items") {
                    Some(items) => items[0].as_object().unwrap().clone(),
                    None => fields,
                };
                fields.values().filter_map(|value| value.as_str().map(str::to_owned)).collect()
            }
            _ => form(&saved).into_iter().map(|(_, value)| value).collect(),
        };
        for wanted in ["Plums & jam", "https://fruit.example/plums?a=1&b=2"] {
            assert!(values.iter().any(|value| value == wanted), "{kind:?}: {values:?}");
        }
    }
}

#[tokio::test]
async fn a_wrong_login_is_recognised_before_and_while_saving() {
    for kind in kinds().filter(|kind| kind.needs_secret()) {
        let server = Server::start().await;
        server.on_request("*", move |request| documented_reply(kind, request));
        let service = service(kind, target(&server, "wrong")).unwrap();
        for done in [service.check(&web()).await, service.save(&web(), &article()).await] {
            let error = done.unwrap_err();
            assert!(matches!(error, ShareError::Login) && error.needs_user(), "{kind:?}: {error}");
        }
    }
}

#[tokio::test]
async fn failures_are_distinguished() {
    let page = || Reply::ok("<!doctype html><title>Log in to the hotel</title>").header("Content-Type", "text/html");
    for kind in kinds() {
        let (_, save) = paths(kind);
        let fails = async |reply: Reply| {
            let server = Server::start().await;
            server.on_request("*", move |request| documented_reply(kind, request));
            server.on(save, reply);
            service(kind, target(&server, "sesame")).unwrap().save(&web(), &article()).await
        };
        let error = fails(Reply::status(429).header("Retry-After", "120")).await.unwrap_err();
        assert!(matches!(error, ShareError::Wait(wait) if wait == Duration::from_secs(120)), "{kind:?}: {error}");
        let error = fails(Reply::status(500)).await.unwrap_err();
        assert!(matches!(&error, ShareError::Fetch(_)) && !error.needs_user(), "{kind:?}: {error}");
        let error = fails(Reply::status(422)).await.unwrap_err();
        assert!(error.is_of_article(), "{kind:?}: {error}");
        let error = fails(Reply::ok(r#"{"id": 7, "access_token": "a-token"}"#).cut_after(5)).await;
        assert!(matches!(error, Err(ShareError::Fetch(_))), "{kind:?}: {error:?}");
        // A webhook may respond with anything.
        let done = fails(page()).await;
        assert_eq!(matches!(done, Err(ShareError::InvalidResponse)), kind != Kind::Webhook, "{kind:?}: {done:?}");
    }
}

#[tokio::test]
async fn a_page_in_place_of_the_api_is_no_valid_login() {
    for kind in kinds().filter(|kind| *kind != Kind::Webhook) {
        let server = Server::start().await;
        server.on_request("*", |_| Reply::ok("<!doctype html><p>Welcome").header("Content-Type", "text/html"));
        let error = service(kind, target(&server, "sesame")).unwrap().check(&web()).await.unwrap_err();
        assert!(matches!(error, ShareError::InvalidResponse), "{kind:?}: {error}");
    }
}

#[tokio::test]
async fn an_expired_token_of_wallabag_is_renewed_once() {
    let server = Server::start().await;
    server.on_request("*", |request| documented_reply(Kind::Wallabag, request));
    let wallabag = service(Kind::Wallabag, target(&server, "sesame")).unwrap();
    wallabag.save(&web(), &article()).await.unwrap();
    wallabag.save(&web(), &article()).await.unwrap();
    assert_eq!(server.requests_to("/oauth/v2/token").len(), 1);
    server.on_each("/api/entries.json", [Reply::status(401), Reply::ok(r#"{"id": 8}"#)]);
    wallabag.save(&web(), &article()).await.unwrap();
    assert_eq!(server.requests_to("/oauth/v2/token").len(), 2);
}

#[tokio::test]
async fn too_many_requests_to_instapaper_refuse_no_article() {
    let server = Server::start().await;
    server.on("/api/add", Reply::status(400));
    for (check, waits) in [(Reply::ok("200"), false), (Reply::status(400), true)] {
        server.on("/api/authenticate", check);
        let error = service(Kind::Instapaper, target(&server, "sesame")).unwrap().save(&web(), &article()).await;
        assert_eq!((matches!(error, Err(ShareError::Wait(_))), error.unwrap_err().is_of_article()), (waits, !waits));
    }
}

#[tokio::test]
async fn zotero_that_does_not_run_is_said_to() {
    // Free again as soon as the listener is gone.
    let address = format!("http://{}", std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap());
    let zotero = service(Kind::Zotero, Target { address, ..Target::default() }).unwrap();
    for error in [zotero.check(&web()).await.unwrap_err(), zotero.save(&web(), &article()).await.unwrap_err()] {
        assert!(matches!(error, ShareError::NotRunning) && !error.is_of_article() && !error.needs_user(), "{error:?}");
    }
}

#[tokio::test]
async fn zotero_that_has_the_article_already_is_success() {
    let server = Server::start().await;
    server.on("/connector/saveItems", Reply::status(409));
    service(Kind::Zotero, target(&server, "")).unwrap().save(&web(), &article()).await.unwrap();
}

#[tokio::test]
async fn tags_are_sent_as_each_service_takes_them() {
    for (kind, wanted) in
        [(Kind::Linkding, r#""tag_names":["to-read","a-b"]"#), (Kind::Readwise, r#""tags":["to read","a,b"]"#)]
    {
        let server = Server::start().await;
        server.on_request("*", move |request| documented_reply(kind, request));
        service(kind, target(&server, "sesame")).unwrap().save(&web(), &article()).await.unwrap();
        let body = server.requests_to(paths(kind).1)[0].body_text();
        assert!(body.contains(wanted), "{body}");
    }
    let server = Server::start().await;
    server.on_request("*", |request| documented_reply(Kind::Karakeep, request));
    service(Kind::Karakeep, target(&server, "sesame")).unwrap().save(&web(), &article()).await.unwrap();
    assert!(server.requests()[1].body_text().contains(r#"{"tagName":"to read"}"#));
}

#[tokio::test]
async fn karakeep_gets_no_title_if_it_refuses_one() {
    let server = Server::start().await;
    server.on_request("*", |request| {
        if request.body_text().contains("Plums") {
            return Reply::status(400);
        }
        documented_reply(Kind::Karakeep, request)
    });
    service(Kind::Karakeep, target(&server, "sesame")).unwrap().save(&web(), &article()).await.unwrap();
    assert_eq!(server.requests_to(paths(Kind::Karakeep).1).len(), 2);
}

#[tokio::test]
async fn a_bookmark_of_linkding_keeps_its_texts_and_tags() {
    let save = paths(Kind::Linkding).1;
    for (tags, wanted) in
        [(json!(["Fruit", "A-B"]), Some(json!(["Fruit", "A-B", "to-read"]))), (json!(["to-read", "a-b"]), None)]
    {
        let server = Server::start().await;
        server.on_request("*", move |request| documented_reply(Kind::Linkding, request));
        let bookmark = json!({
            "id": 7, "url": "https://fruit.example/plums?a=1&b=2", "title": "Mine", "description": "", "notes": "# Ripe?",
            "is_archived": true, "unread": true, "shared": false, "tag_names": tags, "favicon_url": null,
        });
        server.on("/api/bookmarks/check/", Reply::ok(json!({ "bookmark": bookmark }).to_string()));
        service(Kind::Linkding, target(&server, "sesame")).unwrap().save(&web(), &article()).await.unwrap();
        assert!(server.requests()[0].target.ends_with("?url=https%3A%2F%2Ffruit.example%2Fplums%3Fa%3D1%26b%3D2"));
        let saved =
            server.requests_to(save).pop().map(|request| serde_json::from_slice::<Value>(&request.body).unwrap());
        let wanted = wanted.map(|tags| {
            json!({
                "url": "https://fruit.example/plums?a=1&b=2", "title": "Mine", "description": "", "notes": "# Ripe?",
                "unread": true, "shared": false, "tag_names": tags,
            })
        });
        assert_eq!(saved, wanted);
    }
}

#[tokio::test]
async fn an_unknown_author_and_date_are_left_out_for_readwise() {
    let server = Server::start().await;
    server.on_request("*", move |request| documented_reply(Kind::Readwise, request));
    let unknown = Article { author: None, published: None, summary: String::new(), ..article() };
    service(Kind::Readwise, target(&server, "sesame")).unwrap().save(&web(), &unknown).await.unwrap();
    let sent: Value = serde_json::from_slice(&server.requests()[0].body).unwrap();
    let names: Vec<&String> = sent.as_object().unwrap().keys().collect();
    assert_eq!(names, ["saved_using", "tags", "title", "url"]);
}

#[tokio::test]
async fn an_article_without_an_address_is_saved_only_where_that_is_possible() {
    let server = Server::start().await;
    for kind in kinds() {
        let server = &server;
        server.on_request("*", move |request| documented_reply(kind, request));
        let without = Article { url: None, ..article() };
        let done = service(kind, target(server, "sesame")).unwrap().save(&web(), &without).await;
        let possible = matches!(kind, Kind::Zotero | Kind::Webhook);
        assert_eq!(done.is_ok(), possible, "{kind:?}: {done:?}");
        assert!(possible || matches!(done, Err(ShareError::NoAddress)), "{kind:?}");
    }
}

#[tokio::test]
async fn a_folder_that_is_gone_is_an_error() {
    let there = Target { address: "/nonexistent/gleaner".to_owned(), ..Target::default() };
    let folder = service(Kind::Folder, there).unwrap();
    assert!(matches!(folder.check(&web()).await, Err(ShareError::File { .. })));
    assert!(matches!(folder.save(&web(), &article()).await, Err(ShareError::File { .. })));
}

#[test]
fn only_addresses_of_the_web_are_servers() {
    for address in ["", "ftp://a.example/", "javascript:1", "/etc"] {
        let target = Target { address: address.to_owned(), ..Target::default() };
        assert!(matches!(service(Kind::Webhook, target), Err(ShareError::Address)), "{address}");
    }
}
