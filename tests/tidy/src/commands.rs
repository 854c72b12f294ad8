//! Commands are declared once, in `gleaner-contract/src/commands.rs`. The shell has no command of its own.

use crate::none;
use crate::tree::{files, read};

#[test]
fn the_shell_declares_no_commands() {
    let own = files("src-tauri/src", &["rs"]).into_iter().filter(|path| {
        let text = read(path);
        text.contains("tauri::command") || text.contains("generate_handler")
    });
    let own: Vec<String> = own.map(|path| path.display().to_string()).collect();
    none("Commands are declared in gleaner-contract and dispatched by gleaner-app, not in the shell:", &own);
}
