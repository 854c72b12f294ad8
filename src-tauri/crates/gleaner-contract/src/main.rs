//! Writes the window's TypeScript: `cargo run -p gleaner-contract`.

fn main() -> std::io::Result<()> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../ui/src/lib/ipc/generated.ts");
    std::fs::write(file, gleaner_contract::typescript())
}
