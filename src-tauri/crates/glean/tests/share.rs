//! `glean share`: adding services, saving articles in them, and what fails.
#![allow(clippy::unwrap_used)]

mod common;

use common::{json, run};
use gleaner_testserver::{Reply, Server};
use std::fs;

#[tokio::test(flavor = "multi_thread")]
async fn articles_are_saved_in_services_and_wait_for_those_that_fail() {
    let home = tempfile::tempdir().unwrap();
    let library = home.path().join("library");
    let server = Server::start().await;
    server.on(
        "/feed.xml",
        Reply::ok("<rss version=\"2.0\"><channel><title>Fruit</title><item><title>Plums</title><link>https://fruit.example/1</link></item></channel></rss>"),
    );
    let (code, text) = run(&library, &["add", &server.url("/feed.xml")]);
    assert_eq!(code, Some(0), "{text}");
    let found = json(&common::glean(&library, &["search", "--json", "plums"]));
    let article = found["hits"][0]["id"].to_string();
    let share = |words: &[&str]| {
        let (code, text) = run(&library, &[&["share"], words].concat());
        assert!(!text.contains("sesame"), "a token is never printed: {text}");
        (code, text)
    };

    let token = home.path().join("token");
    fs::write(&token, "sesame\n").unwrap();
    let token = token.to_str().unwrap().to_owned();
    server.on_request("/api/user/profile/", |request| match request.text("Authorization").as_deref() {
        Some("Token sesame") => Reply::ok("{}"),
        _ => Reply::status(401),
    });
    let add = ["add", "linkding", &server.url("/"), "--password-file", &token, "--password-in-library"];
    let (code, text) = share(&add);
    assert_eq!((code, text.contains("Added Linkding")), (Some(0), true), "{text}");
    server.on("/api/bookmarks/", Reply::status(502));
    let (code, text) = share(&["save", "linkding", &article]);
    assert!(code == Some(1) && text.contains("0 articles saved") && text.contains("1 article waiting"), "{text}");
    let listed = json(&common::glean(&library, &["share", "list", "--json"]));
    assert_eq!((&listed[0]["waiting"], &listed[0]["error"]), (&1.into(), &"http_status".into()));
    server.on("/api/bookmarks/", Reply::status(201).body("{\"id\": 1}"));
    let (code, text) = share(&["send", "Linkding"]);
    assert_eq!((code, text.as_str()), (Some(0), "Linkding: 1 article sent.\n"));
    let sent = server.requests_to("/api/bookmarks/").pop().unwrap();
    assert!(sent.body_text().contains("https://fruit.example/1"));

    // The token expires. What waits is sent with the new one.
    server.on("/api/bookmarks/", Reply::status(401));
    assert_eq!(share(&["save", "linkding", &article]).0, Some(1));
    server.on_request("/api/user/profile/", |request| match request.text("Authorization").as_deref() {
        Some("Token sesame2") => Reply::ok("{}"),
        _ => Reply::status(401),
    });
    server.on("/api/bookmarks/", Reply::status(201).body("{\"id\": 1}"));
    let password = ["password", "linkding", "--password-file", &token, "--password-in-library"];
    let (code, text) = share(&password);
    assert!(code == Some(1) && text.contains("rejected the user name or password"), "{text}");
    fs::write(&token, "sesame2\n").unwrap();
    server.forget_requests();
    let (code, text) = share(&password);
    assert_eq!((code, text.as_str()), (Some(0), "Saved the password of Linkding.\nLinkding: 1 article sent.\n"));
    let sent = server.requests_to("/api/bookmarks/").pop().unwrap();
    assert_eq!(sent.text("Authorization").as_deref(), Some("Token sesame2"));

    // It moves to another server, which gets the token that was entered for it.
    let moved = Server::start().await;
    server.forget_requests();
    let to = moved.url("/");
    let (code, text) = share(&[&password[..], &["--address", &to]].concat());
    assert_eq!(code, Some(1), "it is no Linkding: {text}");
    moved.on("/api/user/profile/", Reply::ok("{}"));
    moved.on("/api/bookmarks/", Reply::status(201).body("{\"id\": 1}"));
    let (code, text) = share(&[&password[..], &["--address", &to]].concat());
    assert_eq!((code, text.as_str()), (Some(0), "Saved the password of Linkding.\n"));
    assert_eq!(share(&["save", "linkding", &article]).0, Some(0));
    let sent = moved.requests_to("/api/bookmarks/").pop().unwrap();
    assert_eq!((sent.text("Authorization").as_deref(), server.requests().len()), (Some("Token sesame2"), 0));

    let notes = home.path().join("Notes");
    let (code, text) = share(&["add", "folder", notes.to_str().unwrap()]);
    assert!(code == Some(1) && text.contains("does not exist"), "{text}");
    fs::create_dir(&notes).unwrap();
    let (code, text) = share(&["add", "folder", notes.to_str().unwrap(), "--name", "Vault"]);
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = share(&["password", "vault", "--password-file", &token]);
    assert!(code == Some(1) && text.contains("Vault needs no password"), "{text}");
    let (code, text) = share(&["save", "vault", &article]);
    assert_eq!((code, text.contains("1 article saved")), (Some(0), true), "{text}");
    assert!(fs::read_to_string(notes.join("Plums.md")).unwrap().contains("https://fruit.example/1"));

    let (code, text) = share(&["save", "nothing", &article]);
    assert!(code == Some(1) && text.contains("glean share list"), "{text}");
    let (code, text) = share(&["remove", "1"]);
    assert_eq!((code, text.contains("Removed Linkding")), (Some(0), true), "{text}");
    let (_, text) = share(&["list"]);
    assert!(text.contains("Vault") && !text.contains("Linkding"), "{text}");
}
