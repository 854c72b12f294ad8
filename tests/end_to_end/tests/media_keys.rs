//! Media keys and the desktop's media controls: MPRIS (specifications.freedesktop.org/mpris-spec), on the session bus of the test.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, recording, run, settled};
use gleaner_testserver::{Reply, Server};
use std::collections::HashMap;
use zbus::{
    Connection, Proxy,
    fdo::DBusProxy,
    zvariant::{OwnedValue, Str},
};

/// Waits for a media player on the session bus.
async fn media_player(bus: &Connection) -> Proxy<'static> {
    let names = DBusProxy::new(bus).await.unwrap();
    let name = settled("a media player on the bus", || async {
        let names = names.list_names().await.map_err(|error| error.to_string())?;
        let player = names.iter().find(|name| name.starts_with("org.mpris.MediaPlayer2."));
        player.map(|name| name.to_string()).ok_or_else(|| format!("{names:?}"))
    })
    .await;
    Proxy::new_owned(bus.clone(), name, "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player").await.unwrap()
}

async fn text_of(player: &Proxy<'_>, key: &str) -> Result<String, String> {
    let metadata: HashMap<String, OwnedValue> =
        player.get_property("Metadata").await.map_err(|error| error.to_string())?;
    let value = metadata.get(key).ok_or_else(|| format!("{:?}", metadata.keys()))?;
    value.downcast_ref::<Str<'_>>().map(|text| text.to_string()).map_err(|error| error.to_string())
}

#[test]
fn the_desktop_sees_and_controls_what_is_played() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        server.on("/tone.wav", Reply::ok(recording()).header("Content-Type", "audio/wav"));
        let item = format!(
            r#"<item><guid>1</guid><title>Wheat talk</title><description>Notes.</description>
               <enclosure url="{}" type="audio/wav" length="960044"/></item>"#,
            server.url("/tone.wav")
        );
        let cover = server.url("/cover.svg");
        let image = r##"<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#a52"/></svg>"##;
        server.on("/cover.svg", Reply::ok(image).header("Content-Type", "image/svg+xml"));
        server.on(
            "/feed",
            Reply::ok(format!(
                r#"<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Mill</title>
                   <itunes:image href="{cover}"/>{item}</channel></rss>"#
            )),
        );
        assert!(scratch.glean(&["add", &server.url("/feed")]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Mill").await;
        window.click("option", "Wheat talk").await;
        window.find("button", "Play Wheat talk").await;
        window.press("P").await;
        // The system may lack the codec.
        let plays =
            "document.querySelector('audio')?.readyState > 0 || document.body.innerText.includes('Couldn’t play')";
        window.until("audio, or a message", plays).await;
        if window.value("document.querySelector('audio').readyState > 0").await != true {
            eprintln!("not tested: this system cannot play WAV");
            return window.close().await;
        }
        let bus = Connection::session().await.unwrap();
        let player = media_player(&bus).await;
        settled("its title", || async {
            let title = text_of(&player, "xesam:title").await?;
            if title == "Wheat talk" { Ok(()) } else { Err(title) }
        })
        .await;
        // The episode has no image of its own, so that of the feed stands for it.
        window
            .until("the cover in the player", &format!("document.querySelector('.player img')?.src === '{cover}'"))
            .await;
        let same_height = "(() => { const bar = document.querySelector('.player');
            const [image, before] = [bar.querySelector('.artwork'), bar.offsetHeight];
            image.style.display = 'none';
            const after = bar.offsetHeight;
            image.style.display = '';
            return before === after; })()";
        assert_eq!(window.value(same_height).await, true, "the bar is as high without an image");
        settled("its image", || async { text_of(&player, "mpris:artUrl").await.map(drop) }).await;
        player.call_method("Pause", &()).await.unwrap();
        window.until("a pause", "document.querySelector('audio').paused").await;
        window.find("button", "Play").await;
        settled("the state on the bus", || async {
            let status: String = player.get_property("PlaybackStatus").await.map_err(|error| error.to_string())?;
            if status == "Paused" { Ok(()) } else { Err(status) }
        })
        .await;
        player.call_method("PlayPause", &()).await.unwrap();
        window.until("it plays", "!document.querySelector('audio').paused").await;
        window.close().await;
    });
}
