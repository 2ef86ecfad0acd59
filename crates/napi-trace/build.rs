//! Links the addon against the symbols that Node exports.

use std::env::var;

fn main() {
    napi_build::setup();
    let is = |name: &str, value: &str| var(name).is_ok_and(|it| it == value);
    // rustc links with LLD on this target (since 1.90), which puts functions of the same code
    // together: the addon has to stay small, and no address of a function is compared in it.
    if is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
    {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--icf=all");
    }
}
