//! Every view: axe finds nothing, light or dark; the Tab key follows the order of the page with a visible focus;
//! and nothing moves for users who prefer reduced motion.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, VIEWS, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};
use serde_json::json;

const TAB: &str = "\u{e004}";

/// Returns what has the focus, whether it is visible there, and whether it comes after the former one.
const FOCUS: &str = "const at = document.activeElement;
    const style = getComputedStyle(at), box = at.getBoundingClientRect();
    const marked = (one) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one);
      // The separator of two panes is drawn by a pseudo-element.
      const line = getComputedStyle(one, '::after');
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none' || (__e2e.role(one) === 'separator' && parseFloat(line.width) > 2);
    };
    const before = window.focusBefore;
    window.focusBefore = at;
    const after = !before || before === at || !!(before.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING);
    // The frame of a field, the row of an option or a list itself may show it.
    const around = [at, at.parentElement, at.closest('label, .field, [role]'), document.getElementById(at.getAttribute('aria-activedescendant'))];
    return {
      name: `${__e2e.role(at)} ${__e2e.name(at).slice(0, 60)}`,
      nowhere: at === document.body,
      seen: at.tagName === 'IFRAME' || ((box.width > 0 || __e2e.role(at) === 'separator') && box.height > 0 && style.visibility === 'visible' && around.some((one) => one && marked(one))),
      inside: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
      after,
    }";

/// Opens a window with an article, so that every view has content.
async fn opened(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let text = "<p>Rye, <a href=\"https://example.org/\">and wheat</a>.</p>";
    server.on("/feed", Reply::ok(rss("Grain", &[article("On rye", text), article("On wheat", text)])));
    scratch.import(&[("Grain", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh"]).status.success());
    let window = Window::open(scratch).await;
    window.click("treeitem", "Grain").await;
    window.click("option", "On rye").await;
    window.reads("Rye").await;
    (server, window)
}

#[test]
fn axe_finds_nothing_light_or_dark() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = opened(&scratch).await;
        for theme in ["Light", "Dark"] {
            window.theme(theme).await;
            window.audit(&format!("the window, {theme}")).await;
            for (name, words) in VIEWS {
                window.view(words).await;
                window.audit(&format!("{name}, {theme}")).await;
                window.leave().await;
            }
        }
        window.close().await;
    });
}

/// Presses the Tab key once around the window.
async fn around(window: &Window, view: &str) {
    window.script("window.focusBefore = null", vec![]).await.unwrap();
    let mut names: Vec<String> = Vec::new();
    let mut turns = 0;
    for _ in 0..60 {
        window.press(TAB).await;
        let at = window.script(FOCUS, vec![]).await.unwrap();
        if at["nowhere"] == json!(true) {
            // The focus has left the page and starts again at its beginning.
            window.script("window.focusBefore = null", vec![]).await.unwrap();
            turns += 1;
        } else {
            assert_eq!(at["seen"], json!(true), "{view}: the focus is not visible on {at}");
            assert_eq!(at["inside"], json!(true), "{view}: the focused element is outside the visible area: {at}");
            turns += usize::from(at["after"] == json!(false));
        }
        let name = at["name"].as_str().unwrap().to_owned();
        if turns > 1 || turns > 0 && names.first() == Some(&name) {
            break;
        }
        names.push(name);
    }
    assert!(turns <= 1, "{view}: the focus jumps back: {names:?}");
    assert!(!names.is_empty());
    println!("{view}: {}", names.join(", "));
}

#[test]
fn the_tab_key_goes_through_the_window_in_order() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = opened(&scratch).await;
        around(&window, "the window").await;
        window.close().await;
    });
}

#[test]
fn nothing_moves_with_reduced_motion() {
    run(async {
        let scratch = Scratch::new();
        // WebKit gives this setting of GTK to pages.
        let folder = scratch.path("home/config/gtk-3.0");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("settings.ini"), "[Settings]\ngtk-enable-animations=0\n").unwrap();
        let (_server, window) = opened(&scratch).await;
        assert_eq!(window.value("matchMedia('(prefers-reduced-motion: reduce)').matches").await, true);
        let moves = "[...document.querySelectorAll('*')].filter((one) => { const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(one);
            return [transitionDuration, animationDuration].some((all) => all.split(',').some((time) => parseFloat(time) > 0.001)) || scrollBehavior === 'smooth'; })
            .map((one) => one.outerHTML.slice(0, 100))";
        assert_eq!(window.value(moves).await, json!([]));
        for (name, words) in VIEWS {
            window.view(words).await;
            assert_eq!(window.value(moves).await, json!([]), "{name}");
            window.leave().await;
        }
        window.close().await;
    });
}
