//! Files whose code runs by itself, as their folders say: migrations, scripts, seeds. Nobody else comes in between
//! where it waits, so what two calls at a time would do to one another says nothing about it.

use std::path::Path;

/// Words in names of such folders, and of such files.
const WORDS: [&str; 10] = [
    "backfill",
    "codemods",
    "migration",
    "migrations",
    "script",
    "scripts",
    "seed",
    "seeder",
    "seeders",
    "seeds",
];

/// Whether the code of a file of the project at `root` runs by itself.
pub(crate) fn runs_alone(path: &Path, root: &Path) -> bool {
    let inside = path.strip_prefix(root).unwrap_or(path).with_extension("");
    inside
        .components()
        .filter_map(|it| it.as_os_str().to_str())
        .any(|it| words(it).any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str())))
}

/// The words of a name in camel case, or with something between them.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|it: char| !it.is_ascii_alphanumeric()).flat_map(|part| {
        let starts = part.char_indices().filter(|(at, it)| *at > 0 && it.is_ascii_uppercase());
        let ends: Vec<usize> = starts.map(|it| it.0).chain([part.len()]).collect();
        let mut from = 0;
        ends.into_iter().map(move |end| &part[std::mem::replace(&mut from, end)..end])
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::runs_alone;

    #[test]
    fn knows_folders_and_files() {
        let root = Path::new("/home/scripts/app");
        let alone = |it: &str| runs_alone(&root.join(it), root);
        assert!(alone("server/scripts/2023-fill.ts"));
        assert!(alone("worker/src/backgroundMigrations/costs.ts"));
        assert!(alone("prisma/seed.ts"));
        assert!(alone("src/upgrades/backfill-names.js"));
        assert!(!alone("src/subscription/transcript.ts"));
        assert!(!alone("src/users.ts"));
    }
}
