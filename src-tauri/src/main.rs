//! `gleaner`: the window.

// No console window on Windows.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() {
    gleaner_shell::run();
}
