//! Accessibility audits and screenshots.

use crate::Window;
use serde_json::{Value, json};
use std::{fs, path::Path};

impl Window {
    /// Asserts that an axe audit of the window finds nothing.
    pub async fn audit(&self, view: &str) {
        let mut found = self.faults().await;
        // A colour may begin to change during the audit, so a fault must be found twice.
        if found != json!([]) {
            found = self.faults().await;
        }
        assert_eq!(found, json!([]), "axe finds faults in {view}");
    }

    async fn faults(&self) -> Value {
        // During an animation the contrast of colours is not the final one.
        self.until(
            "the end of animations",
            "document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity)",
        )
        .await;
        let axe = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ui/node_modules/axe-core/axe.min.js");
        let axe = fs::read_to_string(axe).expect("axe-core is installed with the interface's packages");
        self.client.execute(&format!("if (!window.axe) {{ {axe} }}"), vec![]).await.unwrap();
        // Tooltips are left out: they repeat their button's name, and WebKit keeps them for a moment after the focus has left.
        let script = "const done = arguments[arguments.length - 1];
            axe.run({ include: [document], exclude: [['.tooltip']] }, { iframes: false, resultTypes: ['violations'] })
               .then((result) => done(result.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => [n.html, ...n.any.map((one) => one.message)].join(' ')).join(' ## ')}`)),
                     (error) => done([String(error)]));";
        self.client.execute_async(script, vec![]).await.unwrap()
    }

    /// Returns a screenshot as soon as two in a row are equal: the driver's picture may be older than the page.
    pub async fn stable_screenshot(&self) -> Vec<u8> {
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

    /// Saves a screenshot where `GLEANER_SCREENSHOTS` names a folder.
    pub async fn screenshot(&self, name: &str) {
        if let Some(folder) = std::env::var_os("GLEANER_SCREENSHOTS") {
            let png = self.client.screenshot().await.unwrap();
            fs::create_dir_all(&folder).unwrap();
            fs::write(Path::new(&folder).join(format!("{name}.png")), png).unwrap();
        }
    }
}
