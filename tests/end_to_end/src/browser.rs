//! A window and the driver that controls it.

use crate::scratch::{Scratch, program, settled};
use fantoccini::{
    Client, ClientBuilder,
    elements::Element,
    wd::{Capabilities, WindowHandle},
};
use gleaner_testserver::real::free_port;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use std::{fs, path::Path, process::Stdio};
use tokio::process::{Child, Command};

const PAGE: &str = include_str!("page.js");

/// The window, opened on a scratch library.
pub struct Window {
    pub(crate) client: Client,
    driver: Child,
    /// The id of the window's process.
    pub(crate) pid: u32,
}

impl Window {
    /// Opens the window on the scratch library.
    pub async fn open(scratch: &Scratch) -> Self {
        Self::open_with(scratch, &[]).await
    }

    /// Opens the window with arguments on its command line.
    pub async fn open_with(scratch: &Scratch, arguments: &[&str]) -> Self {
        Self::open_program(scratch, &program("GLEANER_WINDOW", "gleaner"), arguments).await
    }

    /// Opens the window with files, and confirms that they are imported.
    pub async fn open_importing(scratch: &Scratch, files: &[&str]) -> Self {
        let window = Self::open_with(scratch, files).await;
        window.confirm_import().await;
        window
    }

    /// Clicks "Import" in the question about files. Before it opens, that would be "Import from another reader" in the welcome view.
    pub async fn confirm_import(&self) {
        self.until("the question about files", "__e2e.all('dialog', null).length > 0").await;
        self.click("button", "Import").await;
    }

    /// Opens the window of another program in the same way.
    pub async fn open_program(scratch: &Scratch, program: &Path, arguments: &[&str]) -> Self {
        let port = free_port();
        let native = port + 1;
        let driver = Command::new("tauri-driver")
            .args(["--port", &port.to_string(), "--native-port", &native.to_string()])
            .envs(scratch.environment())
            .stdin(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("tauri-driver is installed (make test installs it)");
        let options = json!({ "application": program, "args": arguments });
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
        let pid = Self::find_pid(&driver);
        let window = Self { client, driver, pid };
        // Keys have no effect before the library is there. Another program's page has no #app.
        let ready = "return document.readyState === 'complete' && (!document.querySelector('#app') || !!document.querySelector('#app :is(h1, [data-pane])'))";
        settled("the window's page", || async {
            window
                .script(ready, vec![])
                .await
                .and_then(|ready| if ready == json!(true) { Ok(()) } else { Err("not ready".to_owned()) })
        })
        .await;
        window
    }

    /// Closes the window as a person would, and waits until its process has ended.
    pub async fn close(self) {
        self.client.clone().close().await.unwrap();
        self.ended().await;
    }

    /// Waits until the window's process has ended, and ends the driver.
    pub async fn ended(self) {
        let pid = self.pid;
        settled("the end of the window's process", || async {
            if running(pid) { Err(format!("process {pid} is running")) } else { Ok(()) }
        })
        .await;
        self.end_driver().await;
    }

    /// Ends the window's process as the system does at the end of a session.
    pub async fn terminate(self) {
        let pid = self.pid.to_string();
        assert!(std::process::Command::new("kill").arg(&pid).status().unwrap().success());
        self.ended().await;
    }

    /// Kills the window's process.
    pub async fn kill(self) {
        let pid = self.pid.to_string();
        assert!(std::process::Command::new("kill").args(["-9", &pid]).status().unwrap().success());
        self.ended().await;
    }

    /// Ends tauri-driver, which ends WebKit's driver when it is asked to end, but not when it is killed.
    async fn end_driver(mut self) {
        let pid = self.driver.id().unwrap().to_string();
        assert!(std::process::Command::new("kill").arg(pid).status().unwrap().success());
        self.driver.wait().await.unwrap();
    }

    /// Finds the id of the window's process, the driver's grandchild.
    fn find_pid(driver: &Child) -> u32 {
        children(driver.id().unwrap())
            .into_iter()
            .flat_map(children)
            .find(|pid| {
                fs::read_to_string(format!("/proc/{pid}/comm")).is_ok_and(|name| !name.trim().starts_with("WebKit"))
            })
            .expect("the window's process")
    }

    /// Returns the names of the threads of the window's process.
    pub fn threads(&self) -> Vec<String> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid)).into_iter().flatten().flatten();
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("comm")).ok()).collect()
    }

    /// Returns the memory of the window's processes in MB, shared pages counted once (PSS).
    pub fn megabytes(&self) -> f64 {
        self.megabytes_of(&["gleaner", "WebKit"])
    }

    /// Returns the memory, in MB, of those of the window's processes whose names contain one of these.
    pub fn megabytes_of(&self, names: &[&str]) -> f64 {
        let pss = |pid: u32| {
            let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?;
            rollup.lines().find(|line| line.starts_with("Pss:"))?.split_whitespace().nth(1)?.parse::<f64>().ok()
        };
        let counted = self.processes().into_iter().filter(|(_, name)| names.iter().any(|part| name.contains(part)));
        counted.filter_map(|(pid, _)| pss(pid)).sum::<f64>() / 1000.0
    }

    /// Returns whether one of the window's own processes runs a page.
    pub fn has_page_process(&self) -> bool {
        self.processes().iter().any(|(_, name)| name.starts_with("WebKitWebProces"))
    }

    /// Kills the process of the page, and waits until there is another one.
    pub async fn end_page_process(&self) {
        let is_page = |(_, name): &(u32, String)| name.starts_with("WebKitWebProces");
        let (pid, _) = self.processes().into_iter().find(is_page).unwrap();
        let killed = std::process::Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
        assert!(killed.success());
        settled("another process", || async {
            let present = self.processes();
            let has_another = present.iter().any(|process| is_page(process) && process.0 != pid);
            if has_another { Ok(()) } else { Err(format!("{present:?}")) }
        })
        .await;
    }

    /// Returns the ids and names of the window's own process and of those that it started.
    pub fn processes(&self) -> Vec<(u32, String)> {
        let listed = std::process::Command::new("ps").args(["-e", "-o", "pid=,ppid=,comm="]).output().unwrap();
        let process = |line: &str| {
            let mut words = line.split_whitespace();
            let [pid, parent] = [words.next()?, words.next()?].map(|id| id.parse::<u32>().ok());
            let is_own = pid == Some(self.pid) || parent == Some(self.pid);
            is_own.then_some((pid?, words.next()?.to_owned()))
        };
        String::from_utf8_lossy(&listed.stdout).lines().filter_map(process).collect()
    }

    /// Runs JavaScript in the window, with the functions of `page.js` as `__e2e`.
    pub async fn script(&self, script: &str, arguments: Vec<Value>) -> Result<Value, String> {
        let script = format!("if (!window.__e2e) {{ {PAGE} }} {script}");
        self.client.execute(&script, arguments).await.map_err(|error| error.to_string())
    }

    /// Returns the value of a JavaScript expression.
    pub async fn value(&self, expression: &str) -> Value {
        self.script(&format!("return ({expression})"), vec![]).await.unwrap()
    }

    /// Waits until a JavaScript expression is true.
    pub async fn until(&self, what: &str, expression: &str) {
        settled(what, || async {
            match self.script(&format!("return ({expression})"), vec![]).await {
                Ok(Value::Bool(true)) => Ok(()),
                Ok(value) => Err(format!("{value}; {}", self.visible_text().await)),
                Err(error) => Err(error),
            }
        })
        .await;
    }

    /// Waits until a number stays the same for several frames, as a scroll position does at the end of a scroll, and returns it.
    pub async fn scrolled(&self, expression: &str) -> f64 {
        const FRAMES: &str = "new Promise((done) => { let left = 6; const next = () => (left-- > 0 ? requestAnimationFrame(next) : done()); next(); })";
        settled(&format!("the end of the scroll of {expression}"), || async {
            let script = format!(
                "return (async () => {{ const before = ({expression}); await {FRAMES}; return before === ({expression}) ? before : null; }})()"
            );
            self.script(&script, vec![]).await?.as_f64().ok_or_else(|| "it is scrolling".to_owned())
        })
        .await
    }

    pub(crate) async fn visible_text(&self) -> String {
        let text = self.script("return document.body.innerText.slice(-2500)", vec![]).await;
        text.map_or_else(|error| error, |text| text.as_str().unwrap_or_default().replace('\n', " | "))
    }

    /// Waits for the first visible element of a role whose accessible name is `name` or begins with it as a whole word.
    pub async fn find(&self, role: &str, name: &str) -> Element {
        settled(&format!("{role} {name:?}"), || self.look_for(role, name)).await
    }

    pub(crate) async fn look_for(&self, role: &str, name: &str) -> Result<Element, String> {
        let found = self
            .script("return __e2e.all(arguments[0], arguments[1])[0] ?? null", vec![json!(role), json!(name)])
            .await?;
        match element_id(&found) {
            Some(id) => Ok(Element::from_element_id(self.client.clone(), id.into())),
            None => Err(self.visible_text().await),
        }
    }

    /// Returns the number of visible elements of a role.
    pub async fn count(&self, role: &str) -> usize {
        let count = self.script("return __e2e.all(arguments[0], null).length", vec![json!(role)]).await.unwrap();
        usize::try_from(count.as_u64().unwrap()).unwrap()
    }

    /// Waits until the focus is on an element whose name begins with `name`.
    pub async fn focus_on(&self, name: &str) {
        let named = format!("__e2e.name(document.activeElement).startsWith({name:?})");
        self.until(&format!("the focus on {name}"), &named).await;
    }

    /// Waits until no dialog is open.
    pub async fn no_dialog(&self) {
        self.until("no dialog", "__e2e.all('dialog', null).length === 0").await;
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

    /// Waits until the article contains a text.
    pub async fn reads(&self, text: &str) {
        let quoted = json!(text);
        self.until(
            &format!("the article's text {text:?}"),
            &format!("!!__e2e.frame()?.body && __e2e.words(__e2e.frame().body.innerText).includes({quoted})"),
        )
        .await;
    }

    /// Unloads the hidden window, as its page does after a minute. The driver may receive no answer from a page that is gone.
    pub async fn unload(&self) {
        self.until("the page knows that it is hidden", "document.hidden").await;
        let unload = "setTimeout(() => window.__TAURI_INTERNALS__.invoke('unload_window'))";
        let _unanswered = self.script(unload, vec![]).await;
        self.windows(0).await;
    }

    /// Changes to the page of a window that was loaded again.
    pub async fn loaded_again(&self) {
        let [page] = &self.windows(1).await[..] else { panic!("one window") };
        self.switch(page).await;
        self.shown().await;
    }

    /// Waits until the program has this many windows, and returns their handles.
    pub async fn windows(&self, count: usize) -> Vec<WindowHandle> {
        settled("the windows", || async {
            let handles = self.client.windows().await.map_err(|error| error.to_string())?;
            if handles.len() == count { Ok(handles) } else { Err(format!("{} windows", handles.len())) }
        })
        .await
    }

    /// Lets the following steps go to another window of the program.
    pub async fn switch(&self, window: &WindowHandle) {
        self.client.switch_to_window(window.clone()).await.unwrap();
    }

    /// Returns the handle of the window that steps go to.
    pub async fn handle(&self) -> WindowHandle {
        self.client.window().await.unwrap()
    }

    /// Resizes the window.
    pub async fn resize(&self, width: u32, height: u32) {
        self.client.set_window_size(width, height).await.unwrap();
        self.until("the window's new size", &format!("innerWidth === {width}")).await;
        // The page handles its resize event before the next frame.
        self.script("return new Promise((done) => requestAnimationFrame(() => done(true)))", vec![]).await.unwrap();
    }
}

/// A test that fails, or that leaves its window open, leaves no program behind for the tests after it.
impl Drop for Window {
    fn drop(&mut self) {
        let Some(driver) = self.driver.id() else { return };
        let started = children(driver).into_iter().chain([self.pid]).filter(|pid| running(*pid));
        let pids: Vec<String> = started.map(|pid| pid.to_string()).collect();
        if !pids.is_empty() {
            drop(std::process::Command::new("kill").arg("-9").args(pids).status());
        }
    }
}

/// Returns the ids of the processes that a process started.
fn children(parent: u32) -> Vec<u32> {
    let listed = std::process::Command::new("pgrep").args(["-P", &parent.to_string()]).output().unwrap();
    String::from_utf8_lossy(&listed.stdout).lines().filter_map(|line| line.parse().ok()).collect()
}

/// Returns true while the process runs; one that has ended and was not yet collected by its parent does not.
fn running(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

/// Returns WebDriver's id of an element in an answer (WebDriver, section 12.2).
pub(crate) fn element_id(found: &Value) -> Option<String> {
    found.get("element-6066-11e4-a52e-4f735466cecf")?.as_str().map(str::to_owned)
}
