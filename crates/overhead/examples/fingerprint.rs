//! Prints the fingerprint of each file named: the text of a helper from its parameters on.

use headstart_overhead::fingerprint;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        match fingerprint(&std::fs::read_to_string(&path)?) {
            Some(it) => println!("{path} {:#034x} {}", it.hash, it.names.join(" ")),
            None => println!("{path} has tokens that no helper has"),
        }
    }
    Ok(())
}
