//! The images of articles, and their files.

use crate::setup::{IMAGES, article, files, item, png, prefer, round, rss, subscribed, whole};
use gleaner_library::OfflineSettings;
use gleaner_pipeline::{HOUR, MINUTE, now, travel};
use gleaner_polling::offline;
use gleaner_testserver::{Reply, Server};
use std::fs;

#[tokio::test]
async fn an_invalid_large_or_missing_image_does_not_stop_the_others() {
    let server = Server::start().await;
    server.on("/html.png", Reply::ok("<html>Sign in</html>").header("Content-Type", "image/png"));
    server.on(
        "/drawing.svg",
        Reply::ok("<svg xmlns='http://www.w3.org/2000/svg'/>").header("Content-Type", "image/svg+xml"),
    );
    server.on("/large.png", Reply::ok(png(1, 30_000)));
    server.on("/endless.png", Reply::ok(png(9, 500)).endless());
    server.on("/cut.png", Reply::ok(png(3, 5000)).cut_after(300));
    server.on("/good.png", Reply::ok(png(2, 400)));
    let images_html: String = ["html.png", "drawing.svg", "large.png", "endless.png", "none.png", "good.png"]
        .iter()
        .map(|name| format!("<img src='/{name}'>"))
        .collect();
    let (scratch, feed) = subscribed(
        &server,
        &[
            item(&server.url("/a"), "A", &format!("x{images_html}")),
            item(&server.url("/b"), "B", "<img src='/cut.png'>x"),
        ],
    )
    .await;
    let settings = OfflineSettings { largest: 20_000, ..OfflineSettings::default() };
    offline::set_for_all(&scratch.library, &settings, now()).await.unwrap();
    prefer(&scratch, feed, IMAGES).await;
    let done = round(&scratch).await;
    assert_eq!(
        (done.images, done.failed),
        (1, 2),
        "one article lacks images, and the truncated image of the other is retried"
    );
    let stored = scratch.library.images().of_article(article(&scratch, "A").await).await.unwrap();
    let why =
        |name: &str| stored.iter().find(|image| image.url.ends_with(name)).unwrap().error.clone().unwrap_or_default();
    assert!(why("html.png").contains("not an image") && why("drawing.svg").contains("not an image"));
    assert!(why("large.png").contains("too_large") && why("endless.png").contains("too_large"));
    assert!(why("none.png").contains("404"), "{}", why("none.png"));
    assert_eq!(why("good.png"), "");
    assert_eq!(files(scratch.path()).len(), 1, "the others left no files");
    server.forget_requests();
    server.on("/cut.png", Reply::ok(png(3, 5000)));
    travel(11 * MINUTE);
    assert_eq!(round(&scratch).await.images, 1);
    assert_eq!(server.requests().len(), 1);
    whole(&scratch).await;
}

#[tokio::test]
async fn p45_an_image_that_fails_is_requested_once_in_a_run() {
    let server = Server::start().await;
    server.on("/down.png", Reply::status(500));
    server.on("/html.png", Reply::ok("<html>Sign in</html>"));
    server.on("/ok.png", Reply::ok(png(2, 400)));
    let images = "<img src='/none.png'><img src='/html.png'><img src='/ok.png'><img src='/down.png'>x";
    let items: Vec<String> =
        ["A", "B", "C"].iter().map(|name| item(&server.url(&format!("/{name}")), name, images)).collect();
    let (scratch, feed) = subscribed(&server, &items).await;
    prefer(&scratch, feed, IMAGES).await;
    server.forget_requests();
    round(&scratch).await;
    let requested = |path: &str| server.requests().iter().filter(|request| request.target == path).count();
    for path in ["/down.png", "/none.png", "/html.png", "/ok.png"] {
        assert_eq!(requested(path), 1, "{path}");
    }
    for article_name in ["A", "B", "C"] {
        let stored = scratch.library.images().of_article(article(&scratch, article_name).await).await.unwrap();
        assert!(stored.iter().any(|image| image.url.ends_with("none.png") && image.error.is_some()), "{stored:?}");
    }
    // It is downloaded for all of them once the server responds.
    server.on("/down.png", Reply::ok(png(3, 500)));
    for _ in 0..2 {
        travel(HOUR);
        round(&scratch).await;
    }
    assert_eq!((requested("/down.png"), requested("/none.png"), requested("/html.png")), (2, 1, 1));
    let of_c = scratch.library.images().of_article(article(&scratch, "C").await).await.unwrap();
    assert_eq!(of_c.iter().filter(|image| image.digest.is_some()).count(), 2, "{of_c:?}");
    whole(&scratch).await;
}

#[tokio::test]
async fn an_image_is_stored_once_and_deleted_with_its_last_article() {
    let server = Server::start().await;
    server.on("/one.png", Reply::ok(png(7, 900)));
    server.on("/two.png", Reply::ok(png(7, 900)));
    let (scratch, feed) = subscribed(
        &server,
        &[item(&server.url("/a"), "A", "<img src='/one.png'>x"), item(&server.url("/b"), "B", "<img src='/two.png'>x")],
    )
    .await;
    prefer(&scratch, feed, IMAGES).await;
    assert_eq!(round(&scratch).await.images, 2);
    let state = scratch.library.downloads().state().await.unwrap();
    assert_eq!((files(scratch.path()).len(), state.images, state.bytes), (1, 1, 900));
    let image = scratch.library.images().of_article(article(&scratch, "A").await).await.unwrap()[0].digest.unwrap();
    scratch.library.feeds().unsubscribe(&[feed]).await.unwrap();
    assert!(scratch.library.images().get(&image).await.unwrap().is_some(), "unsubscribing can be undone for a day");
    assert_eq!(scratch.library.images().remove_unused().await.unwrap(), 0);
}

#[tokio::test]
async fn the_size_limit_removes_read_articles_first_and_keeps_starred_ones() {
    let server = Server::start().await;
    for n in 0..6_u8 {
        server.on(&format!("/{n}.png"), Reply::ok(png(n, 1000)));
    }
    let of = |n: u8| item(&server.url(&format!("/{n}")), &format!("n{n}"), &format!("<img src='/{n}.png'>x"));
    let (scratch, feed) = subscribed(&server, &(0..3).map(of).collect::<Vec<_>>()).await;
    let settings = OfflineSettings { room: 3000, largest: 2000, ..OfflineSettings::default() };
    offline::set_for_all(&scratch.library, &settings, now()).await.unwrap();
    prefer(&scratch, feed, IMAGES).await;
    assert_eq!(round(&scratch).await.images, 3);
    let starred = article(&scratch, "n0").await;
    scratch.library.articles().mark(&[starred, article(&scratch, "n1").await], Some(true), None).await.unwrap();
    scratch.library.articles().mark(&[starred], None, Some(true)).await.unwrap();
    server.on("/feed", rss(&(0..4).map(of).collect::<Vec<_>>()));
    travel(HOUR);
    scratch.refresh().await;
    assert_eq!(round(&scratch).await.images, 1);
    let has = async |name: &str| {
        !scratch.library.images().of_article(article(&scratch, name).await).await.unwrap().is_empty()
    };
    assert!(has("n0").await && has("n3").await && !has("n1").await, "only the read one without a star was removed");
    assert!(scratch.library.downloads().state().await.unwrap().bytes <= 3000);
    assert!(files(scratch.path()).len() <= 3);
    whole(&scratch).await;

    for name in ["n2", "n3"] {
        scratch.library.articles().mark(&[article(&scratch, name).await], None, Some(true)).await.unwrap();
    }
    let bytes = scratch.library.downloads().state().await.unwrap().bytes;
    server.on("/feed", rss(&(0..6).map(of).collect::<Vec<_>>()));
    travel(HOUR);
    scratch.refresh().await;
    round(&scratch).await;
    assert!(scratch.library.downloads().state().await.unwrap().bytes <= 3000, "the limit is not exceeded");
    assert!(has("n0").await && scratch.library.downloads().state().await.unwrap().bytes >= bytes);
    whole(&scratch).await;
}

#[tokio::test]
async fn repairs_images_without_files_and_files_without_images() {
    let server = Server::start().await;
    for n in 0..3_u8 {
        server.on(&format!("/{n}.png"), Reply::ok(png(n, 500)));
    }
    let items: Vec<String> = (0..3)
        .map(|n| item(&server.url(&format!("/{n}")), &format!("n{n}"), &format!("<img src='/{n}.png'>x")))
        .collect();
    let (scratch, feed) = subscribed(&server, &items).await;
    prefer(&scratch, feed, IMAGES).await;
    assert_eq!(round(&scratch).await.images, 3);
    let there = files(scratch.path());
    fs::remove_file(&there[0].0).unwrap();
    fs::write(&there[1].0, "something else").unwrap();
    let strange = there[2].0.with_file_name("0".repeat(62));
    fs::write(&strange, "unknown").unwrap();
    let found = scratch.library.check(false).await.unwrap().findings;
    let counts: Vec<i64> = found.iter().map(|finding| finding.count).collect();
    assert_eq!(counts, [2, 1], "{found:?}");
    assert!(strange.exists(), "nothing was touched");
    assert!(scratch.library.check(true).await.unwrap().is_intact());
    whole(&scratch).await;
    assert!(!strange.exists());
    server.forget_requests();
    assert_eq!(round(&scratch).await.images, 2, "they are downloaded again");
    assert_eq!((server.requests().len(), files(scratch.path()).len()), (2, 3));

    // As after a restored backup: rows without files, and files without rows.
    for (path, _) in files(scratch.path()) {
        fs::remove_file(path).unwrap();
    }
    let again = scratch.restart().await;
    assert_eq!(round(&again).await.images, 3);
    whole(&again).await;
}
