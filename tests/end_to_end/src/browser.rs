//! One window and the driver that holds it.

use crate::scratch::{Scratch, program, settled};
use fantoccini::{
    Client, ClientBuilder,
    actions::{InputSource as _, KeyAction, KeyActions, MouseActions, PointerAction},
    elements::Element,
    wd::Capabilities,
};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::{fs, net::TcpListener, path::Path, process::Stdio};
use tokio::process::{Child, Command};

const PAGE: &str = include_str!("page.js");

/// The window, open on a scratch library.
pub struct Window {
    client: Client,
    driver: Child,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Window {
    /// Opens the window on the scratch's library.
    pub async fn open(scratch: &Scratch) -> Self {
        Self::open_with(scratch, &[]).await
    }

    /// The same with words on the command line.
    pub async fn open_with(scratch: &Scratch, words: &[&str]) -> Self {
        Self::open_program(scratch, &program("GLEANER_WINDOW", "gleaner"), words).await
    }

    /// Opens another program's window, as that of Gleaner is opened.
    pub async fn open_program(scratch: &Scratch, program: &Path, words: &[&str]) -> Self {
        let (port, native) = (free_port(), free_port());
        let driver = Command::new("tauri-driver")
            .args(["--port", &port.to_string(), "--native-port", &native.to_string()])
            .envs(scratch.environment())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("tauri-driver is installed (make test installs it)");
        let options = json!({ "application": program, "args": words });
        let capabilities: Capabilities = [("tauri:options".to_owned(), options)].into_iter().collect();
        let url = format!("http://127.0.0.1:{port}");
        let client = settled("a WebDriver session", || {
            let (capabilities, url) = (capabilities.clone(), url.clone());
            async move {
                ClientBuilder::new(HttpConnector::new())
                    .capabilities(capabilities)
                    .connect(&url)
                    .await
                    .map_err(|error| error.to_string())
            }
        })
        .await;
        let window = Self { client, driver };
        settled("the window's page", || async {
            window
                .script("return document.readyState === 'complete' && !!document.body?.childElementCount", vec![])
                .await
                .and_then(|ready| if ready == json!(true) { Ok(()) } else { Err("not ready".to_owned()) })
        })
        .await;
        window
    }

    /// Closes it as a person would, and waits until it is gone.
    pub async fn close(mut self) {
        self.client.close().await.unwrap();
        self.driver.kill().await.unwrap();
    }

    /// Kills the program: no farewell of any kind.
    pub async fn kill(mut self) {
        let pid = self.pid();
        assert!(std::process::Command::new("kill").args(["-9", &pid.to_string()]).status().unwrap().success());
        self.driver.kill().await.unwrap();
    }

    /// The process of the window: the driver's grandchild.
    fn pid(&self) -> u32 {
        let children = |parent: u32| -> Vec<u32> {
            let parent = parent.to_string();
            let listed = std::process::Command::new("pgrep").args(["-P", &parent]).output().unwrap();
            String::from_utf8_lossy(&listed.stdout).lines().filter_map(|line| line.parse().ok()).collect()
        };
        let named =
            |pid: &u32| fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| name.trim() == "gleaner");
        let native = children(self.driver.id().unwrap());
        native.into_iter().flat_map(children).find(named).expect("the window's process")
    }

    /// What the window's processes hold in memory together, in MB: shared pages are counted once (PSS).
    pub fn megabytes(&self) -> f64 {
        self.megabytes_of(&["gleaner", "WebKit"])
    }

    /// The same of those of its processes that are called so.
    pub fn megabytes_of(&self, names: &[&str]) -> f64 {
        let listed = std::process::Command::new("ps").args(["-e", "-o", "pid=,ppid=,comm="]).output().unwrap();
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let ours = |line: &&str| names.iter().any(|name| line.contains(name));
        let pss = |line: &str| {
            let pid = line.split_whitespace().next()?;
            let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            rollup.lines().find(|line| line.starts_with("Pss:"))?.split_whitespace().nth(1)?.parse::<f64>().ok()
        };
        listed
            .lines()
            .filter(ours)
            .filter(|line| !line.contains("WebKitWebDriver") && !line.contains("gleaner-bench"))
            .filter_map(pss)
            .sum::<f64>()
            / 1000.0
    }

    /// Runs JavaScript in the window; `__e2e` is there.
    pub async fn script(&self, script: &str, arguments: Vec<Value>) -> Result<Value, String> {
        let script = format!("if (!window.__e2e) {{ {PAGE} }} {script}");
        self.client.execute(&script, arguments).await.map_err(|error| error.to_string())
    }

    /// What an expression is worth.
    pub async fn value(&self, expression: &str) -> Value {
        self.script(&format!("return ({expression})"), vec![]).await.unwrap()
    }

    /// Waits until an expression is true.
    pub async fn until(&self, what: &str, expression: &str) {
        settled(what, || async {
            match self.script(&format!("return ({expression})"), vec![]).await {
                Ok(Value::Bool(true)) => Ok(()),
                Ok(value) => Err(format!("{value}; {}", self.seen().await)),
                Err(error) => Err(error),
            }
        })
        .await;
    }

    async fn seen(&self) -> String {
        let text = self.script("return document.body.innerText.slice(0, 1500)", vec![]).await;
        text.map_or_else(|error| error, |text| text.as_str().unwrap_or_default().replace('\n', " | "))
    }

    /// Waits for the first visible element of a role whose accessible name is `name` or begins with it as a whole word.
    pub async fn find(&self, role: &str, name: &str) -> Element {
        settled(&format!("{role} {name:?}"), || async {
            let found = self
                .script("return __e2e.all(arguments[0], arguments[1])[0] ?? null", vec![json!(role), json!(name)])
                .await?;
            match element_id(&found) {
                Some(id) => Ok(Element::from_element_id(self.client.clone(), id.into())),
                None => Err(self.seen().await),
            }
        })
        .await
    }

    /// How many visible elements of a role there are.
    pub async fn count(&self, role: &str) -> usize {
        let count = self.script("return __e2e.all(arguments[0], null).length", vec![json!(role)]).await.unwrap();
        usize::try_from(count.as_u64().unwrap()).unwrap()
    }

    /// Clicks it.
    pub async fn click(&self, role: &str, name: &str) {
        settled(&format!("a click on {role} {name:?}"), || async {
            let element = self.find(role, name).await;
            element.click().await.map_err(|error| error.to_string())
        })
        .await;
    }

    /// Types into it, after taking away what is there.
    pub async fn fill(&self, name: &str, text: &str) {
        let field = self.find("textbox", name).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Presses keys one after the other; `\u{e00c}` and its like are WebDriver's names for keys without a character.
    pub async fn press(&self, keys: &str) {
        for key in keys.chars() {
            let shift = key.is_ascii_uppercase() || key == '?';
            let mut actions = KeyActions::new("keyboard".to_owned());
            if shift {
                actions = actions.then(KeyAction::Down { value: '\u{e008}' });
            }
            actions = actions.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
            if shift {
                actions = actions.then(KeyAction::Up { value: '\u{e008}' });
            }
            self.client.perform_actions(actions).await.unwrap();
        }
    }

    /// Letters of one word, as fast as a machine types: between two of them nothing takes its time.
    pub async fn press_word(&self, word: &str) {
        let keys = KeyActions::new("keyboard".to_owned());
        let actions = word
            .chars()
            .fold(keys, |actions, key| actions.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key }));
        self.client.perform_actions(actions).await.unwrap();
    }

    /// A key with Control held.
    pub async fn press_control(&self, key: char) {
        self.press_with('\u{e009}', key).await;
    }

    /// A key with Alt held.
    pub async fn press_alt(&self, key: char) {
        self.press_with('\u{e00a}', key).await;
    }

    /// A key with Shift held.
    pub async fn press_shift(&self, key: char) {
        self.press_with('\u{e008}', key).await;
    }

    async fn press_with(&self, held: char, key: char) {
        let actions = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: held })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: held });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Waits until what has the focus has this name.
    pub async fn focus_on(&self, name: &str) {
        let named = format!("__e2e.name(document.activeElement).startsWith({name:?})");
        self.until(&format!("the focus on {name}"), &named).await;
    }

    /// Goes with the Tab key to what has this name.
    pub async fn tab_to(&self, name: &str) {
        let named = format!("__e2e.name(document.activeElement).startsWith({name:?})");
        for _ in 0..40 {
            self.press("\u{e004}").await;
            if self.value(&named).await == json!(true) {
                return;
            }
        }
        panic!("the Tab key does not come to {name:?}: {}", self.seen().await);
    }

    /// Waits until the window shows a text.
    pub async fn shows(&self, text: &str) {
        let quoted = json!(text);
        self.until(
            &format!("the text {text:?}"),
            &format!("__e2e.words(document.body.innerText).includes(__e2e.words({quoted}))"),
        )
        .await;
    }

    /// Waits until the article in the pane has a text.
    pub async fn reads(&self, text: &str) {
        let quoted = json!(text);
        self.until(
            &format!("the article's text {text:?}"),
            &format!("!!__e2e.frame()?.body && __e2e.words(__e2e.frame().body.innerText).includes({quoted})"),
        )
        .await;
    }

    /// Resizes the window.
    pub async fn resize(&self, width: u32, height: u32) {
        self.client.set_window_size(width, height).await.unwrap();
        self.until("the window's new size", &format!("innerWidth === {width}")).await;
        // The page hears of it before the next frame.
        self.script("return new Promise((done) => requestAnimationFrame(() => done(true)))", vec![]).await.unwrap();
    }

    /// A picture of the window, once it does not change any more: the driver's may be older than the page.
    pub async fn still(&self) -> Vec<u8> {
        let mut before = Vec::new();
        for _ in 0..40 {
            self.script(
                "return new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(true)), 120))",
                vec![],
            )
            .await
            .unwrap();
            let now = self.client.screenshot().await.unwrap();
            if now == before {
                break;
            }
            before = now;
        }
        before
    }

    /// Keeps a picture of the window, where `GLEANER_SCREENSHOTS` names a folder.
    pub async fn picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os("GLEANER_SCREENSHOTS") {
            let png = self.client.screenshot().await.unwrap();
            fs::create_dir_all(&folder).unwrap();
            fs::write(Path::new(&folder).join(format!("{name}.png")), png).unwrap();
        }
    }

    /// Clicks a link of the article, by its text.
    pub async fn click_in_article(&self, text: &str) {
        self.client.enter_frame(0).await.unwrap();
        let link = self.client.find(fantoccini::Locator::LinkText(text)).await.unwrap();
        let clicked = link.click().await;
        self.client.enter_parent_frame().await.unwrap();
        clicked.unwrap();
    }

    /// Clicks a part of the article, by its selector.
    pub async fn click_part_of_article(&self, selector: &str) {
        self.client.enter_frame(0).await.unwrap();
        let part = self.client.find(fantoccini::Locator::Css(selector)).await.unwrap();
        let clicked = part.click().await;
        self.client.enter_parent_frame().await.unwrap();
        clicked.unwrap();
    }

    /// Puts the pointer on a link of the article, by its text.
    pub async fn hover_in_article(&self, text: &str) {
        let place = self
            .script(
                "const link = [...__e2e.frame().links].find((link) => __e2e.words(link.textContent) === arguments[0]);
                 link.scrollIntoView({ block: 'center', behavior: 'instant' });
                 const [box, pane] = [link.getClientRects()[0], document.querySelector('iframe').getBoundingClientRect()];
                 return [pane.x + box.x + box.width / 2, pane.y + box.y + box.height / 2]",
                vec![json!(text)],
            )
            .await
            .unwrap();
        self.point(place[0].as_f64().unwrap().round(), place[1].as_f64().unwrap().round()).await;
    }

    /// Puts the pointer somewhere.
    pub async fn point(&self, x: f64, y: f64) {
        let there = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration: None, x, y });
        self.client.perform_actions(there).await.unwrap();
    }

    /// An axe audit of what is shown: it must find nothing.
    pub async fn audit(&self, view: &str) {
        let mut found = self.faults().await;
        // What was about to change colour when it was looked at is looked at again; a fault stays one.
        if found != json!([]) {
            found = self.faults().await;
        }
        assert_eq!(found, json!([]), "axe found fault with {view}");
    }

    async fn faults(&self) -> Value {
        // Colours that are on their way from one to another have no contrast to speak of.
        self.until(
            "nothing moves",
            "document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity)",
        )
        .await;
        let axe = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/node_modules/axe-core/axe.min.js");
        let axe = fs::read_to_string(axe).expect("axe-core is installed with the interface's packages");
        self.client.execute(&format!("if (!window.axe) {{ {axe} }}"), vec![]).await.unwrap();
        // A tooltip says again what its button is called, and WebKit leaves it for a moment after the focus has gone.
        let script = "const done = arguments[arguments.length - 1];
            axe.run({ include: [document], exclude: [['[data-bits-floating-content-wrapper]:has(> .tooltip)']] }, { iframes: false, resultTypes: ['violations'] })
               .then((result) => done(result.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => [n.html, ...n.any.map((one) => one.message)].join(' ')).join(' ## ')}`)),
                     (error) => done([String(error)]));";
        self.client.execute_async(script, vec![]).await.unwrap()
    }
}

/// WebDriver's name for an element in an answer (WebDriver, section 12.2).
fn element_id(found: &Value) -> Option<String> {
    found.get("element-6066-11e4-a52e-4f735466cecf")?.as_str().map(str::to_owned)
}
