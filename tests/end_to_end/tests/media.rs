//! Article metadata: recordings and the player, comments, credits and categories, the full text; and the
//! image and search box of a feed.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, recording, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
/// Images of feeds that are smaller than an icon are not shown.
const BARN: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"><rect width="64" height="48" fill="#a52"/></svg>"##;

fn channel(server: &Server) -> String {
    let at = |path: &str| server.url(path);
    let long = "<p>A paragraph that goes on for a while, so that there is something to read and to scroll through.</p>"
        .repeat(30);
    let text = |html: &str| html.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        r#"<?xml version="1.0"?><rss version="2.0" xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
            xmlns:atom="http://www.w3.org/2005/Atom" xmlns:psc="http://podlove.org/simple-chapters" xmlns:podcast="https://podcastindex.org/namespace/1.0"
            xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">
        <channel><title>Granary</title><link>https://example.com/</link>
        <podcast:person>Ada</podcast:person><podcast:funding url="{give}">Buy us seeds</podcast:funding>
        <image><url>{image}</url><title>The barn</title><link>https://example.com/barn</link></image>
        <textInput><title>Find</title><description>Look in the archive</description><name>q</name><link>https://example.com/find</link></textInput>
        <item><guid>1</guid><title>Episode</title><link>{one}</link><description>{times}{words}</description>
            <enclosure url="{sound}" type="audio/wav" length="960044"/><itunes:duration>2:00</itunes:duration>
            <podcast:chapters url="{chapters}" type="application/json+chapters"/>
            <podcast:transcript url="{transcript}" type="text/vtt"/><podcast:season>2</podcast:season><podcast:episode>7</podcast:episode>
            <podcast:person role="guest" href="https://example.com/bo">Bo Barley</podcast:person><pubDate>Mon, 02 Nov 2026 10:59:00 GMT</pubDate></item>
        <item><guid>2</guid><title>Discussed</title><link>{two}</link><description>{words}</description>
            <wfw:commentRss>{comments}</wfw:commentRss><slash:comments>2</slash:comments><category>History</category>
            <source url="https://corpus.example/feed">The Corpus</source><atom:link rel="via" href="https://www.linklog.example/7"/>
            <pubDate>Mon, 02 Nov 2026 10:58:00 GMT</pubDate></item>
        <item><guid>3</guid><title>Begun</title><link>{three}</link><description>It begins in the feed, and then…</description>
            <pubDate>Mon, 02 Nov 2026 10:57:00 GMT</pubDate></item>
        <item><guid>4</guid><title>Gone</title><link>{four}</link><description>Another that breaks off…</description>
            <pubDate>Mon, 02 Nov 2026 10:56:00 GMT</pubDate></item>
        </channel></rss>"#,
        image = at("/barn.png"),
        one = at("/read/1"),
        two = at("/read/2"),
        three = at("/read/3"),
        four = at("/read/4"),
        sound = at("/episode.wav"),
        chapters = at("/chapters.json"),
        transcript = at("/transcript.vtt"),
        give = at("/give"),
        comments = at("/read/2/feed"),
        times = text("<p>Threshing begins at 1:40.</p>"),
        words = text(&long),
    )
}

/// Returns a transcript of two minutes: a sentence of alternating speakers every two seconds.
fn transcript() -> String {
    let cue = |n: u32| {
        let at = |seconds: u32| format!("00:{:02}:{:02}.000", seconds / 60, seconds % 60);
        let speaker = if (n / 5).is_multiple_of(2) { "Ada" } else { "Bo Barley" };
        let text = if n == 50 { "Now the thresher begins" } else { "They talk about the harvest and the weather" };
        format!("{} --> {}\n<v {speaker}>{text} ({n}).\n\n", at(2 * n), at(2 * n + 2))
    };
    format!("WEBVTT\n\n{}", (0..60).map(cue).collect::<String>())
}

async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    server.on("/feed", Reply::ok(channel(&server)));
    server.on("/barn.png", Reply::ok(BARN).header("Content-Type", "image/svg+xml"));
    server.on("/episode.wav", Reply::ok(recording()).header("Content-Type", "audio/wav"));
    server.on(
        "/chapters.json",
        Reply::ok(
            r#"{"version":"1.2.0","chapters":[{"startTime":0,"title":"Sowing"},{"startTime":60,"title":"Reaping"}]}"#,
        )
        .header("Content-Type", "application/json+chapters"),
    );
    server.on("/transcript.vtt", Reply::ok(transcript()).header("Content-Type", "text/vtt"));
    server.on(
        "/read/2/feed",
        Reply::ok(
            r#"<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Comments</title>
            <item><guid>a</guid><dc:creator>Ada</dc:creator><link>https://example.com/2#a</link>
              <description>&lt;p&gt;Well said.&lt;/p&gt;&lt;script&gt;document.title='ran'&lt;/script&gt;</description></item>
            <item><guid>b</guid><dc:creator>Bo</dc:creator><description>I disagree.</description></item></channel></rss>"#,
        ),
    );
    let page =
        "<p>Now it goes on, on its own page: the harvest was in, the mill was turning, and no one asked for more.</p>"
            .repeat(8);
    let page = format!("<html><head><title>Begun</title></head><body><article>{page}</article></body></html>");
    server.on("/read/3", Reply::ok(page).header("Content-Type", "text/html; charset=utf-8"));
    assert!(scratch.glean(&["add", &server.url("/feed")]).status.success());
    let window = Window::open(scratch).await;
    window.click("treeitem", "Granary").await;
    window.find("option", "Episode").await;
    (server, window)
}

async fn opened(scratch: &Scratch, url: &str) {
    settled("the browser", || async {
        let opened = scratch.opened();
        if opened.last().is_some_and(|last| last == url) { Ok(()) } else { Err(format!("{opened:?}")) }
    })
    .await;
}

#[test]
fn a_recording_plays_on_while_another_article_is_read() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        let length = "__e2e.all('option', 'Episode')[0]?.querySelector('.length')?.textContent.trim()";
        window.until("its duration in the list", &format!("{length} === '2:00'")).await;
        window.click("option", "Episode").await;
        window.find("button", "Play Episode").await;
        window.audit("an article with a recording").await;
        let requests_for = |path: &str| server.requests_to(path).len();
        assert_eq!(
            (requests_for("/episode.wav"), requests_for("/chapters.json")),
            (0, 0),
            "nothing is requested before play is pressed"
        );

        window.press("P").await;
        window.find("region", "Player").await;
        settled("the chapters", || async {
            if requests_for("/chapters.json") == 1 { Ok(()) } else { Err("not requested".to_owned()) }
        })
        .await;
        window.find("button", "Chapters").await;
        window.shows("Sowing").await;
        // The episode and its chapters have no image, so that of the feed is shown, and enlarged.
        window.click("button", "Enlarge image").await;
        window.find("dialog", "Image").await;
        window.escape().await;

        // The system may lack the codec: then the window says so and offers the browser.
        let plays =
            "document.querySelector('audio')?.readyState > 0 || document.body.innerText.includes('Couldn’t play')";
        window.until("audio, or a message", plays).await;
        if window.value("document.querySelector('audio').readyState > 0").await == true {
            window.until("the length", "__e2e.all('slider', 'Position')[0]?.max === '120'").await;
            window.press(")").await;
            window.until("a skip", "document.querySelector('audio').currentTime >= 30").await;
            window.press("P").await;
            window.until("a pause", "document.querySelector('audio').paused").await;

            // Chapters and speed.
            window.click("button", "Chapters").await;
            window.click("menuitemcheckbox", "1:00 Reaping").await;
            window.until("the second chapter", "document.querySelector('audio').currentTime >= 60").await;
            window.shows("Reaping").await;
            window.click_in_article("1:40").await;
            let there = "document.querySelector('audio').currentTime >= 100 && !document.querySelector('audio').paused";
            window.until("the time in the notes", there).await;
            window.press("P").await;
            window.until("a pause", "document.querySelector('audio').paused").await;
            window.click("button", "Speed: 1×").await;
            window.click("menuitemcheckbox", "1.5×").await;
            window.until("the speed", "document.querySelector('audio').playbackRate === 1.5 && document.querySelector('audio').currentTime >= 60").await;
        } else {
            window.find("button", "Open in browser").await;
            window.screenshot("media-no-codec").await;
        }
        window.screenshot("media-player").await;
        window.audit("the player").await;

        // The player stays while another article is read, and its title leads back.
        window.click("option", "Discussed").await;
        window.reads("A paragraph").await;
        window.find("region", "Player").await;
        window.click("button", "Show the article “Episode”").await;
        window.find("button", "Play Episode").await;
        window.resize(640, 480).await;
        window.find("region", "Player").await;
        window.audit("the player in a narrow window").await;
        window.screenshot("media-player-narrow").await;
        window.resize(1280, 820).await;
        window.click("button", "Close player").await;
        window.until("no player", "__e2e.all('region', 'Player').length === 0").await;
        window.close().await;
    });
}

#[test]
fn a_transcript_follows_playback_and_is_searched() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        window.click("option", "Episode").await;
        window.reads("Season 2, episode 7").await;
        window.reads("With: Bo Barley (guest)").await;
        assert!(server.requests_to("/transcript.vtt").is_empty(), "opening an article sends no requests");
        server.on("/transcript.vtt", Reply::status(404));
        window.click("button", "Transcript").await;
        window.shows("The transcript no longer exists at its address.").await;
        window.audit("a transcript that failed").await;
        assert_eq!(server.requests_to("/transcript.vtt").len(), 1, "a failed download is repeated on request only");
        server.on("/transcript.vtt", Reply::ok(transcript()).header("Content-Type", "text/vtt"));
        window.click("button", "Try again").await;
        window.shows("They talk about the harvest and the weather (0).").await;
        window.audit("a transcript").await;
        window.screenshot("media-transcript").await;

        window.click("searchbox", "Find in transcript").await;
        window.type_text("THRESHER").await;
        window.shows("1 match").await;
        window.until("only the match", "document.querySelectorAll('[data-passage]').length === 1").await;
        window.until("it is marked", "document.querySelector('[data-passage] mark')?.textContent === 'thresher'").await;
        window.screenshot("media-transcript-found").await;
        window.click("button", "Play from 1:40").await;
        // The system may lack the codec.
        let plays =
            "document.querySelector('audio')?.readyState > 0 || document.body.innerText.includes('Couldn’t play')";
        window.until("audio, or a message", plays).await;
        if window.value("document.querySelector('audio').readyState > 0").await == true {
            window.until("the place", "document.querySelector('audio').currentTime >= 100").await;
            window.press("P").await;
            window.until("a pause", "document.querySelector('audio').paused").await;
            window.click("searchbox", "Find in transcript").await;
            window.escape().await;
            let here = "document.querySelector('[data-passage][aria-current=true]')";
            window.until("the passage that plays", &format!("Number({here}?.dataset.passage) >= 50")).await;
            let inside = format!(
                "(() => {{ const a = {here}.getBoundingClientRect(), b = {here}.parentElement.getBoundingClientRect();
                return a.top >= b.top && a.bottom <= b.bottom; }})()"
            );
            window.until("it is in view", &inside).await;
            window.screenshot("media-transcript-follows").await;
        }

        // Escape clears the field, and then closes the transcript: keys are no longer typed into it.
        let field = "document.querySelector('input[type=search][placeholder=\"Find in transcript\"]')";
        let closed = "__e2e.all('region', 'Transcript').length === 0";
        window.click("searchbox", "Find in transcript").await;
        window.press_control('a').await;
        window.type_text("mill").await;
        window.until("the word", &format!("{field}.value === 'mill'")).await;
        window.escape().await;
        window.until("no word", &format!("{field}.value === '' && document.activeElement === {field}")).await;
        window.escape().await;
        window.until("no transcript", closed).await;
        window.until("the focus in the article", "document.activeElement?.dataset.pane === 'article'").await;

        // The key opens and closes it, and it is stored. Escape in the article closes it, too.
        window.press("l").await;
        window.find("region", "Transcript").await;
        window.press("l").await;
        window.until("no transcript", closed).await;
        window.press("l").await;
        window.find("region", "Transcript").await;
        window.escape().await;
        window.until("no transcript", closed).await;
        window.until("the focus stays", "document.activeElement?.dataset.pane === 'article'").await;
        window.press("l").await;
        window.find("region", "Transcript").await;
        assert_eq!(server.requests_to("/transcript.vtt").len(), 2, "it is downloaded once, after the failure");
        // Notes take its place.
        window.press("E").await;
        window
            .until(
                "notes",
                "__e2e.all('region', 'Transcript').length === 0 && __e2e.all('region', 'Notes').length === 1",
            )
            .await;
        window.press("l").await;
        window
            .until(
                "the transcript",
                "__e2e.all('region', 'Transcript').length === 1 && __e2e.all('region', 'Notes').length === 0",
            )
            .await;
        window.resize(640, 700).await;
        window.find("region", "Transcript").await;
        window.audit("a transcript in a narrow window").await;
        window.screenshot("media-transcript-narrow").await;
        window.resize(1280, 820).await;

        // Its words are found in the library.
        window.search("thresher").await;
        window.shows("1 article found").await;
        window.close().await;
    });
}

#[test]
fn a_downloaded_episode_plays_without_its_server_and_is_listed() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        window.click("option", "Episode").await;
        window.find("button", "Play Episode").await;
        window.click("button", "Actions for “Episode”").await;
        window.click("menuitem", "Download episode").await;
        window.until("the download", "document.querySelector('.details')?.textContent.includes('Downloaded')").await;
        let shown = "(document.querySelector('.recordings .name').textContent = 'Long name '.repeat(60), \
                     [document.querySelector('.details')].every((one) => one.scrollWidth <= one.clientWidth))";
        assert_eq!(window.value(shown).await, true, "the details of an episode with a long name");
        server.on("/episode.wav", Reply::status(404));
        window.press("P").await;
        let local = "document.querySelector('audio')?.src.startsWith('http://127.0.0.1:')";
        window
            .until(
                "the local file",
                &format!("{local} && !document.querySelector('audio').src.includes('episode.wav')"),
            )
            .await;
        // The system may lack the codec.
        let plays =
            "document.querySelector('audio')?.readyState > 0 || document.body.innerText.includes('Couldn’t play')";
        window.until("audio, or a message", plays).await;
        if window.value("document.querySelector('audio').readyState > 0").await == true {
            window.press(")").await;
            window.until("a skip", "document.querySelector('audio').currentTime >= 30").await;
            window.press("P").await;
            window.until("a pause", "document.querySelector('audio').paused").await;
            window.press("6").await;
            window
                .until("the remaining time", "__e2e.all('option', 'Episode')[0]?.textContent.includes(' left')")
                .await;
            window.audit("started episodes").await;
            window.screenshot("media-listening").await;
        }
        window.press("7").await;
        window.until("the size", "__e2e.all('option', 'Episode')[0]?.textContent.includes('960 kB')").await;
        window.audit("downloads").await;
        window.screenshot("media-downloads").await;
        window.click("treeitem", "Granary").await;
        window.press("i").await;
        window.click("tab", "General").await;
        window.shows("Seconds to skip at the beginning").await;
        window.screenshot("media-playback-preferences").await;
        window.close().await;
    });
}

#[test]
fn comments_are_shown_below_the_article_and_run_nothing() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        window.click("option", "Discussed").await;
        window.reads("Source: The Corpus").await;
        window.reads("Via: linklog.example").await;
        window.find("button", "Show 2 comments").await;
        assert!(server.requests_to("/read/2/feed").is_empty());
        window.press("C").await;
        let below = "document.querySelectorAll('iframe')[1]?.contentDocument?.body?.innerText ?? ''";
        window
            .until("the comments", &format!("({below}).includes('Well said.') && ({below}).includes('I disagree.')"))
            .await;
        window.until("the authors", &format!("({below}).includes('Ada') && ({below}).includes('Bo')")).await;
        assert_eq!(window.value("document.querySelectorAll('iframe')[1].contentDocument.title").await, "Comments");
        window.audit("comments").await;
        window.screenshot("media-comments").await;
        window.press("C").await;
        window.until("no comments", "document.querySelectorAll('iframe').length === 1").await;
        window.press("C").await;
        window.until("them again", "document.querySelectorAll('iframe').length === 2").await;
        assert_eq!(server.requests_to("/read/2/feed").len(), 1, "comments are downloaded once");

        // A category is a link at the end of the article.
        window.click_in_article("History").await;
        window.shows("1 article found").await;
        window.close().await;
    });
}

#[test]
fn a_truncated_article_is_completed_automatically_by_preference() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        window.click("option", "Begun").await;
        window.reads("It begins in the feed").await;
        window.reads("Load full article").await;
        window.audit("a truncated article").await;
        window.screenshot("media-offer").await;
        assert!(server.requests_to("/read/3").is_empty(), "opening an article sends no requests");
        window.click_in_article("Always for this feed").await;
        window.reads("Now it goes on").await;

        // Now automatically; after a failure the feed's text stays, with a message.
        window.click("option", "Gone").await;
        window.reads("Another that breaks off").await;
        window.shows("Couldn’t load the full text; showing the feed’s text.").await;
        window.click("option", "Begun").await;
        window.reads("Now it goes on").await;
        assert_eq!(server.requests_to("/read/3").len(), 1, "the full text is stored");
        window.close().await;
    });
}

#[test]
fn a_feeds_image_and_search_box_lead_to_its_site() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        window.find("group", "Site").await;
        window.click("link", "Buy us seeds").await;
        opened(&scratch, &server.url("/give")).await;
        window.until("the image", "__e2e.all('img', 'Open The barn').length + document.querySelectorAll('img[alt=\"Open The barn\"]').length > 0").await;
        window.fill("Look in the archive", "rice & wheat").await;
        window.press(ENTER).await;
        opened(&scratch, "https://example.com/find?q=rice+%26+wheat").await;
        window.audit("a feed with a search box").await;
        window.screenshot("media-head").await;
        window.click("option", "Discussed").await;
        window.reads("A paragraph").await;

        // With images off, the feed's image is not shown either.
        let before = server.requests_to("/barn.png").len();
        window.press_control(',').await;
        window.click("switch", "Load remote images").await;
        window.escape().await;
        window.until("no image", "document.querySelectorAll('img[alt=\"Open The barn\"]').length === 0").await;
        window.find("textbox", "Look in the archive").await;
        assert_eq!(server.requests_to("/barn.png").len(), before);
        window.close().await;
    });
}
