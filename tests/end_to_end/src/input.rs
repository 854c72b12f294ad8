//! Keys and the pointer.

use crate::{Window, browser::element_id, settled};
use fantoccini::{
    Locator,
    actions::{InputSource as _, KeyAction, KeyActions, MOUSE_BUTTON_RIGHT, MouseActions, PointerAction},
    elements::Element,
};
use serde_json::json;

const SHIFT: char = '\u{e008}';
const CONTROL: char = '\u{e009}';
const ALT: char = '\u{e00a}';
const TAB: &str = "\u{e004}";
const ESCAPE: &str = "\u{e00c}";

impl Window {
    /// Clicks an element as soon as it is there, enabled and not covered.
    pub async fn click(&self, role: &str, name: &str) {
        settled(&format!("a click on {role} {name:?}"), || async {
            let element = self.look_for(role, name).await?;
            // WebDriver clicks on a disabled button without an error, and nothing happens.
            if !element.is_enabled().await.map_err(|error| error.to_string())? {
                return Err("it is disabled".to_owned());
            }
            element.click().await.map_err(|error| error.to_string())
        })
        .await;
    }

    /// Chooses an option of a list of choices by its value.
    pub async fn choose(&self, name: &str, value: &str) {
        self.choose_by(name, &format!("(one) => one.dataset.value === {}", json!(value))).await;
    }

    /// Chooses an option of a list of choices by its text.
    pub async fn choose_text(&self, name: &str, text: &str) {
        self.choose_by(name, &format!("(one) => one.textContent.trim() === {}", json!(text))).await;
    }

    /// `matching`: a function of script that is true for the option, and for the box when it is chosen.
    async fn choose_by(&self, name: &str, matching: &str) {
        let list = "[...document.querySelectorAll('[role=listbox][popover] [role=option]')]";
        let is_chosen = format!("__e2e.all('combobox', {}).slice(0, 1).every({matching})", json!(name));
        settled(&format!("an option of {name:?}"), || async {
            // A form that is drawn again closes its list, as scrolling to the option does.
            if self.script("return !document.querySelector('[role=listbox][popover]')", vec![]).await? == json!(true) {
                self.look_for("combobox", name).await?.click().await.map_err(|error| error.to_string())?;
            }
            let found = self.script(&format!("return {list}.find({matching}) ?? null"), vec![]).await?;
            let id = element_id(&found).ok_or("no such option")?;
            let option = Element::from_element_id(self.client.clone(), id.into());
            option.click().await.map_err(|error| error.to_string())?;
            let chosen = self.script(&format!("return {is_chosen}"), vec![]).await?;
            if chosen == json!(true) { Ok(()) } else { Err("not chosen".to_owned()) }
        })
        .await;
        self.until("the end of the list", "!document.querySelector('[role=listbox][popover]')").await;
    }

    /// Replaces the text of a field.
    pub async fn fill(&self, name: &str, text: &str) {
        settled(&format!("{text:?} in the field {name:?}"), || async {
            let fill = async {
                let field = self.look_for("textbox", name).await?;
                field.clear().await.map_err(|error| error.to_string())?;
                field.send_keys(text).await.map_err(|error| error.to_string())?;
                field.prop("value").await.map_err(|error| error.to_string())
            };
            match fill.await? {
                Some(value) if value == text => Ok(()),
                value => Err(format!("{value:?}")),
            }
        })
        .await;
    }

    /// Types into the field that has the focus, as soon as one has it.
    ///
    /// A dialog takes the focus only after it is shown.
    pub async fn type_text(&self, text: &str) {
        self.until("the focus in a text field", "__e2e.typing()").await;
        self.press(text).await;
    }

    /// Opens the search field by its key, and types into it.
    pub async fn search(&self, query: &str) {
        self.press("/").await;
        self.type_text(query).await;
    }

    /// Chooses a theme in the settings, by its name in English.
    pub async fn choose_theme(&self, theme: &str) {
        self.press_control(',').await;
        self.find("dialog", "Settings").await;
        self.click("radio", theme).await;
        self.escape().await;
    }

    /// Presses Escape. If a dialog is open, waits until it has closed, since it still receives keys while it closes.
    pub async fn escape(&self) {
        let open = self.count("dialog").await;
        self.press(ESCAPE).await;
        if open > 0 {
            self.until("the end of the dialog", &format!("__e2e.all('dialog', null).length < {open}")).await;
        }
    }

    /// Presses keys one after the other. Keys without a character have WebDriver's names, such as `\u{e00c}` for Escape.
    pub async fn press(&self, keys: &str) {
        for key in keys.chars() {
            let shift = key.is_ascii_uppercase() || key == '?';
            let mut actions = KeyActions::new("keyboard".to_owned());
            if shift {
                actions = actions.then(KeyAction::Down { value: SHIFT });
            }
            actions = actions.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
            if shift {
                actions = actions.then(KeyAction::Up { value: SHIFT });
            }
            self.client.perform_actions(actions).await.unwrap();
        }
    }

    /// Presses a key that closes its window. WebDriver has no window to answer for afterwards.
    pub async fn press_to_close(&self, key: char) {
        let actions = KeyActions::new("keyboard".to_owned()).then(KeyAction::Down { value: key });
        drop(self.client.perform_actions(actions).await);
    }

    /// Presses Ctrl+Q, which ends the window.
    pub async fn press_to_quit(&self) {
        let actions = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: CONTROL })
            .then(KeyAction::Down { value: 'q' });
        drop(self.client.perform_actions(actions).await);
    }

    /// Presses the letters of a word in one WebDriver command, with no other work between them.
    pub async fn press_word(&self, word: &str) {
        let keys = KeyActions::new("keyboard".to_owned());
        let actions = word
            .chars()
            .fold(keys, |actions, key| actions.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key }));
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Presses a key with Control.
    pub async fn press_control(&self, key: char) {
        self.press_with(CONTROL, key).await;
    }

    /// Presses a key with Alt.
    pub async fn press_alt(&self, key: char) {
        self.press_with(ALT, key).await;
    }

    /// Presses a key with Alt and Shift.
    pub async fn press_alt_shift(&self, key: char) {
        let actions = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: ALT })
            .then(KeyAction::Down { value: SHIFT })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: SHIFT })
            .then(KeyAction::Up { value: ALT });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Presses a key with Shift.
    pub async fn press_shift(&self, key: char) {
        self.press_with(SHIFT, key).await;
    }

    async fn press_with(&self, modifier: char, key: char) {
        let actions = KeyActions::new("keyboard".to_owned())
            .then(KeyAction::Down { value: modifier })
            .then(KeyAction::Down { value: key })
            .then(KeyAction::Up { value: key })
            .then(KeyAction::Up { value: modifier });
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Presses the Tab key until the focus is on an element whose name begins with `name`.
    pub async fn tab_to(&self, name: &str) {
        let named = format!("__e2e.name(document.activeElement).startsWith({name:?})");
        for _ in 0..40 {
            self.press(TAB).await;
            if self.value(&named).await == json!(true) {
                return;
            }
        }
        panic!("the Tab key does not reach {name:?}: {}", self.visible_text().await);
    }

    /// Clicks a link of the article by its text.
    pub async fn click_in_article(&self, text: &str) {
        self.click_in_frame(Locator::LinkText(text), text).await;
    }

    /// Clicks a part of the article by its CSS selector.
    pub async fn click_part_of_article(&self, selector: &str) {
        self.click_in_frame(Locator::Css(selector), selector).await;
    }

    async fn click_in_frame(&self, locator: Locator<'_>, what: &str) {
        settled(&format!("a click in the article on {what:?}"), || async {
            let click = async {
                self.client.enter_frame(0).await?;
                self.client.find(locator).await?.click().await
            };
            let clicked = click.await;
            self.client.enter_parent_frame().await.map_err(|error| error.to_string())?;
            clicked.map_err(|error| error.to_string())
        })
        .await;
    }

    /// Moves the pointer over a link of the article, by its text.
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

    /// Presses the right mouse button on a part of the article, by its CSS selector.
    ///
    /// A real pointer presses it: WebKit requests no menu when WebDriver does.
    pub async fn menu_in_article(&self, selector: &str) {
        let place = self
            .script(
                "const part = __e2e.frame().querySelector(arguments[0]);
                 part.scrollIntoView({ block: 'center', behavior: 'instant' });
                 const [box, pane] = [part.getClientRects()[0], document.querySelector('iframe').getBoundingClientRect()];
                 return [pane.x + box.x + Math.min(box.width / 2, 60), pane.y + box.y + box.height / 2]",
                vec![json!(selector)],
            )
            .await
            .unwrap();
        let (x, y) = (place[0].as_f64().unwrap().round(), place[1].as_f64().unwrap().round());
        // A menu that is closing lies over the article.
        self.until("an uncovered article", &format!("document.elementFromPoint({x}, {y})?.tagName === 'IFRAME'")).await;
        let pressed = std::process::Command::new("xdotool")
            .args(["mousemove", &x.to_string(), &y.to_string(), "click", "3"])
            .status()
            .expect("xdotool is installed (make test installs it)");
        assert!(pressed.success());
    }

    /// Clicks with the right mouse button.
    pub async fn right_click(&self, x: f64, y: f64) {
        let clicked = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_RIGHT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_RIGHT });
        self.client.perform_actions(clicked).await.unwrap();
    }

    /// Moves the pointer.
    pub async fn point(&self, x: f64, y: f64) {
        let there = MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration: None, x, y });
        self.client.perform_actions(there).await.unwrap();
    }
}
