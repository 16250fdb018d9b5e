//! Writes every target's seeds to `corpus/<target>/`, where `cargo fuzz run` looks for them.

use std::fs;
use std::path::Path;

fn main() -> std::io::Result<()> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.parent().unwrap_or(here);
    for target in sedum_fuzz::oracles::TARGETS {
        let folder = here.join("corpus").join(target.name);
        fs::create_dir_all(&folder)?;
        for (at, seed) in (target.seeds)(root).iter().enumerate() {
            fs::write(folder.join(format!("seed-{at}")), seed)?;
        }
    }
    Ok(())
}
