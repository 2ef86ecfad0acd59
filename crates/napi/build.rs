//! Links the addon against the symbols that Node exports.

fn main() {
    napi_build::setup();
}
