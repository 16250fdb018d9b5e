//! Compiles what the program brings along in place of its C library's, where that is musl's on x86-64.

use std::env;

const MEMORY: &str = "native/memory.c";

fn main() {
    println!("cargo::rerun-if-changed={MEMORY}");
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|found| found == value);
    if is("CARGO_CFG_TARGET_ENV", "musl") && is("CARGO_CFG_TARGET_ARCH", "x86_64") {
        cc::Build::new()
            .file(MEMORY)
            .opt_level(2)
            .flag("-std=gnu11")
            .flag("-fno-builtin")
            .flag_if_supported("-fno-tree-loop-distribute-patterns")
            .flag_if_supported("-fno-stack-protector")
            .compile("sedum_memory");
    }
}
