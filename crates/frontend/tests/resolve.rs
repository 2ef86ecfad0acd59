//! What module requests lead to, on real files in a folder of their own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

use headstart_frontend::{LoadOptions, Program, Progress, SourceFile, load};
use headstart_ir::{RequestKind, Resolution};
use tempfile::TempDir;

/// A folder with the files of one program, removed at the end.
struct Project {
    root: PathBuf,
    _folder: TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::Builder::new().prefix("resolve").tempdir().unwrap();
        let project = Self { root: folder.path().canonicalize().unwrap(), _folder: folder };
        for (path, text) in files {
            project.write(path, text);
        }
        project
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a file that imports each of the specifiers for its effects.
    fn importer(&self, path: &str, specifiers: &[(&str, &str)]) {
        let lines = specifiers.iter().map(|(specifier, _)| format!("import '{specifier}';\n"));
        self.write(path, &lines.collect::<String>());
    }

    #[cfg(unix)]
    fn link(&self, target: &str, link: &str) {
        let link = self.root.join(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(self.root.join(target), link).unwrap();
    }

    fn load(&self) -> Program {
        self.load_with(false)
    }

    fn load_with(&self, include_tests: bool) -> Program {
        let options = LoadOptions {
            root: self.root.clone(),
            paths: vec![PathBuf::from(".")],
            include_tests,
            ..LoadOptions::default()
        };
        let program = load(&options, &Progress::default()).unwrap();
        assert_eq!(program.skipped, vec![]);
        program
    }

    fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap().to_string_lossy().into_owned()
    }

    fn file<'p>(&self, program: &'p Program, path: &str) -> &'p SourceFile {
        let found = program.files.iter().find(|file| self.name(&file.path) == path);
        found.unwrap_or_else(|| panic!("{path} is not in the program"))
    }

    fn names(&self, program: &Program) -> Vec<String> {
        program.files.iter().map(|file| self.name(&file.path)).collect()
    }

    /// The requests of a file: the specifier and what it leads to, a file of the program by name.
    fn requests(&self, program: &Program, path: &str) -> Vec<(String, String)> {
        let ir = &self.file(program, path).ir;
        ir.requests
            .iter()
            .map(|it| (ir.name(it.specifier).to_owned(), self.answer(program, it.resolution)))
            .collect()
    }

    fn answer(&self, program: &Program, resolution: Resolution) -> String {
        match resolution {
            Resolution::File(id) => self.name(&program.files[id.0 as usize].path),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    fn warnings(&self, program: &Program) -> Vec<(String, String)> {
        let pairs = program.warnings.iter();
        pairs.map(|it| (self.name(&it.path), it.message.clone())).collect()
    }
}

/// Checks what `importer`, written for it, gets for each specifier; returns the program's warnings.
fn check(project: &Project, importer: &str, expected: &[(&str, &str)]) -> Vec<(String, String)> {
    project.importer(importer, expected);
    // What imports `node:test` is a test.
    let program = project.load_with(true);
    assert_eq!(project.requests(&program, importer), owned(expected), "from {importer}");
    project.warnings(&program)
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect()
}

#[test]
fn a_relative_path_goes_with_and_without_ending() {
    let project = Project::new(&[
        ("src/a.ts", ""),
        ("src/b.js", ""),
        ("src/deep/c.tsx", ""),
        ("d.mjs", ""),
        ("src/with.dots.ts", ""),
    ]);
    let expected = [
        ("./a", "src/a.ts"),
        ("./a.ts", "src/a.ts"),
        ("./b", "src/b.js"),
        ("./b.js", "src/b.js"),
        ("./deep/c", "src/deep/c.tsx"),
        ("../d.mjs", "d.mjs"),
        ("./deep/../a", "src/a.ts"),
        (".//a", "src/a.ts"),
        ("./with.dots", "src/with.dots.ts"),
    ];
    assert_eq!(check(&project, "src/main.ts", &expected), vec![]);
}

#[test]
fn a_folder_stands_for_its_index_file() {
    let project = Project::new(&[
        ("src/index.ts", ""),
        ("src/a/index.ts", ""),
        ("src/b/index.jsx", ""),
        ("src/both.ts", ""),
        ("src/both/index.ts", ""),
        ("index.mjs", ""),
    ]);
    let expected = [
        ("./a", "src/a/index.ts"),
        ("./a/", "src/a/index.ts"),
        ("./a/index", "src/a/index.ts"),
        ("./a/index.js", "src/a/index.ts"),
        ("./b", "src/b/index.jsx"),
        ("./both", "src/both.ts"),
        ("./both/", "src/both/index.ts"),
        (".", "src/index.ts"),
        ("./", "src/index.ts"),
        ("..", "index.mjs"),
        ("../", "index.mjs"),
    ];
    assert_eq!(check(&project, "src/main.ts", &expected), vec![]);
}

#[test]
fn dots_mean_the_folder_and_no_file_beside_it() {
    let project = Project::new(&[
        ("lib.ts", ""),
        ("lib/index.ts", ""),
        ("lib/part.ts", ""),
        ("lib/part/index.ts", ""),
    ]);
    check(&project, "lib/part/main.ts", &[(".", "lib/part/index.ts"), ("..", "lib/index.ts")]);
}

#[test]
fn a_javascript_ending_is_written_for_typescript() {
    let project = Project::new(&[
        ("a.ts", ""),
        ("b.tsx", ""),
        ("c.mts", ""),
        ("d.cts", ""),
        ("e.ts", ""),
        ("e.js", ""),
        ("f.jsx", ""),
        ("g.mjs", ""),
        ("h.cjs", ""),
        ("i.tsx", ""),
    ]);
    let expected = [
        ("./a.js", "a.ts"),
        ("./b.js", "b.tsx"),
        ("./c.mjs", "c.mts"),
        ("./d.cjs", "d.cts"),
        ("./e.js", "e.ts"),
        ("./f.jsx", "f.jsx"),
        ("./f", "f.jsx"),
        ("./g.mjs", "g.mjs"),
        ("./g", "g.mjs"),
        ("./h.cjs", "h.cjs"),
        ("./h", "h.cjs"),
        ("./i.jsx", "i.tsx"),
    ];
    assert_eq!(check(&project, "main.ts", &expected), vec![]);
}

#[test]
fn javascript_means_the_file_that_it_names() {
    let project = Project::new(&[("e.ts", ""), ("e.js", ""), ("a.ts", "")]);
    assert_eq!(check(&project, "main.js", &[("./e.js", "e.js"), ("./a.js", "a.ts")]), vec![]);
}

/// Files of one name, so that it depends on who loads them which is meant.
fn alike() -> Project {
    Project::new(&[
        ("both.js", ""),
        ("both.ts", ""),
        ("compiled.ts", ""),
        ("compiled.tsx", ""),
        ("folder.ts", ""),
        ("folder/index.js", ""),
        ("data.json", "{}"),
        ("data.ts", ""),
        ("inner/index.js", ""),
        ("inner/index.ts", ""),
        ("script.mjs", ""),
        ("script.cjs", ""),
        ("dual/package.json", r#"{ "main": "./main.js", "module": "./module.js" }"#),
        ("dual/index.js", ""),
        ("dual/main.js", ""),
        ("dual/module.js", ""),
    ])
}

#[test]
fn what_node_requires_is_what_it_finds() {
    let project = alike();
    let specifiers =
        ["both", "both.js", "both.ts", "compiled", "folder", "data", "inner", "script", "dual"];
    let lines = specifiers.iter().map(|it| format!("require('./{it}');\n"));
    project.write("main.js", &lines.collect::<String>());
    let program = project.load();
    let ir = &project.file(&program, "main.js").ir;
    let found: Vec<String> =
        ir.requests.iter().map(|it| project.answer(&program, it.resolution)).collect();
    let outside = "outside";
    let expected = [
        "both.js",
        "both.js",
        "both.ts",
        outside,
        outside,
        outside,
        "inner/index.js",
        outside,
        "dual/main.js",
    ];
    assert_eq!(found, expected);
}

#[test]
fn where_loaders_disagree_nobody_knows() {
    let project = alike();
    let outside = "outside";
    let of_modules = [
        ("./both", outside),
        ("./both.js", "both.js"),
        ("./compiled", outside),
        ("./inner", outside),
        ("./script", outside),
        ("./script.mjs", "script.mjs"),
    ];
    assert_eq!(check(&project, "main.mjs", &of_modules), vec![]);
    let of_typescript = [
        ("./both", outside),
        ("./folder", "folder.ts"),
        ("./dual", outside),
        ("./data", "data.ts"),
    ];
    assert_eq!(check(&project, "main.ts", &of_typescript), vec![]);
}

#[test]
fn what_is_no_source_file_is_outside() {
    let project = Project::new(&[
        ("data.json", "{}"),
        ("style.css", ""),
        ("App.vue", ""),
        ("types.d.ts", "export {}"),
        ("themed.css.ts", ""),
        ("more.d.mts", "export {}"),
    ]);
    let expected = [
        ("./data.json", "outside"),
        ("./data", "outside"),
        ("./style.css", "outside"),
        ("./App.vue", "outside"),
        ("./types", "outside"),
        ("./types.d.ts", "outside"),
        ("./types.js", "outside"),
        ("./more.mjs", "outside"),
        ("./themed.css", "themed.css.ts"),
    ];
    assert_eq!(check(&project, "main.ts", &expected), vec![]);
}

#[test]
fn a_missing_file_is_missing_and_said_so() {
    let project = Project::new(&[]);
    let warnings = check(&project, "src/main.ts", &[("./gone", "missing"), ("../x.js", "missing")]);
    let paths: Vec<&str> = warnings.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["src/main.ts", "src/main.ts"]);
    assert!(warnings.iter().any(|(_, message)| message.contains("`./gone`")), "{warnings:?}");
}

#[test]
fn a_query_is_for_the_loader() {
    let project = Project::new(&[("a.js", ""), ("b.ts", ""), ("c.svg", "")]);
    let expected = [
        ("./a.js?raw", "a.js"),
        ("./a?worker&inline", "a.js"),
        ("./b.js?x=./y", "b.ts"),
        ("./c.svg?url", "outside"),
    ];
    assert_eq!(check(&project, "main.ts", &expected), vec![]);
}

#[test]
fn modules_of_the_platform_are_known_by_name() {
    let project = Project::new(&[("node_modules/events/index.js", "")]);
    let expected = [
        ("fs", "builtin"),
        ("node:fs", "builtin"),
        ("fs/promises", "builtin"),
        ("path/posix", "builtin"),
        ("node:path/win32", "builtin"),
        ("node:test", "builtin"),
        ("timers/promises", "builtin"),
        ("stream/web", "builtin"),
        ("util/types", "builtin"),
        ("events/", "package"),
    ];
    assert_eq!(check(&project, "main.mjs", &expected), vec![]);
}

#[test]
fn what_only_some_runtime_knows_is_no_missing_package() {
    let project = Project::new(&[("package.json", "{}")]);
    let expected = [
        ("https://example.com/a.js", "missing"),
        ("virtual:config", "missing"),
        ("bun:sqlite", "missing"),
        ("npm:chalk@5", "missing"),
        ("~/aliased", "missing"),
        ("@/aliased", "missing"),
        ("#unknown", "missing"),
    ];
    assert_eq!(check(&project, "main.mjs", &expected), vec![]);
}

#[test]
fn a_manifest_that_is_no_json_is_named_with_its_place() {
    let project = Project::new(&[
        ("package.json", "\u{feff}{ \"name\": \"own\" }"),
        ("packages/a/package.json", "{\n  \"name\": \"a\",\n}"),
    ]);
    let warnings = check(&project, "main.mjs", &[]);
    let [(path, message)] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert_eq!(path, "packages/a/package.json");
    assert!(message.contains("line 3 column 1"), "{message}");
}

#[test]
fn packages_that_are_not_installed_are_named_once() {
    let project = Project::new(&[("package.json", r#"{ "name": "own" }"#)]);
    let expected =
        [("left-pad", "missing"), ("@scope/tool/part.js", "missing"), ("@scope/tool", "missing")];
    let warnings = check(&project, "main.mjs", &expected);
    let [(path, message)] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert_eq!(path, "package.json");
    assert!(message.starts_with("not installed: @scope/tool, left-pad;"), "{message}");
}

#[test]
fn paths_of_a_tsconfig_are_followed() {
    let config = r##"{
      // a comment, and a trailing comma
      "compilerOptions": {
        "baseUrl": ".",
        "paths": {
          "@/*": ["src/*"],
          "~lib": ["src/lib/main.ts"],
          "first/*": ["missing/*", "src/*"],
          "#own/*": ["src/*"],
        },
      },
    }"##;
    let project = Project::new(&[
        ("tsconfig.json", config),
        ("src/a.ts", ""),
        ("src/lib/main.ts", ""),
        ("src/lib/index.ts", ""),
        ("shared/b.ts", ""),
    ]);
    let expected = [
        ("@/a", "src/a.ts"),
        ("@/a.js", "src/a.ts"),
        ("@/lib", "src/lib/index.ts"),
        ("~lib", "src/lib/main.ts"),
        ("first/a", "src/a.ts"),
        ("#own/a", "src/a.ts"),
        ("shared/b", "shared/b.ts"),
        ("@/gone", "missing"),
    ];
    check(&project, "src/deep/er/main.ts", &expected);
}

#[test]
fn the_nearest_tsconfig_counts() {
    let paths =
        |to: &str| format!(r#"{{ "compilerOptions": {{ "paths": {{ "@/*": ["{to}"] }} }} }}"#);
    let project = Project::new(&[
        ("tsconfig.json", &paths("./src/*")),
        ("src/a.ts", ""),
        ("app/tsconfig.json", &paths("./lib/*")),
        ("app/lib/a.ts", ""),
        ("app/main.ts", "import '@/a';"),
    ]);
    check(&project, "main.ts", &[("@/a", "src/a.ts")]);
    let program = project.load();
    assert_eq!(project.requests(&program, "app/main.ts"), owned(&[("@/a", "app/lib/a.ts")]));
}

#[test]
fn a_tsconfig_extends_another() {
    let base = r#"{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }"#;
    let project = Project::new(&[
        ("base.json", base),
        ("tsconfig.json", r#"{ "extends": "./base.json" }"#),
        ("src/a.ts", ""),
    ]);
    assert_eq!(check(&project, "main.ts", &[("@/a", "src/a.ts")]), vec![]);
}

#[test]
fn what_a_tsconfig_extends_and_is_not_installed_is_named_and_its_own_paths_count() {
    let config = r#"{
      // as editors write them
      "extends": ["@company/tsconfig", "./own.json"],
      "compilerOptions": { "paths": { "@/*": ["./src/*"] }, },
    }"#;
    let project = Project::new(&[
        ("package.json", "{}"),
        ("tsconfig.json", config),
        ("own.json", "{}"),
        ("src/a.ts", ""),
        ("src/data.json", "{}"),
        ("node_modules/installed/index.js", ""),
    ]);
    let expected = [
        ("./a", "src/a.ts"),
        ("./data", "outside"),
        ("installed", "package"),
        ("@/a", "src/a.ts"),
        ("@/b", "missing"),
    ];
    let warnings = check(&project, "src/main.ts", &expected);
    let own: Vec<_> = warnings.iter().filter(|it| it.0 == "tsconfig.json").collect();
    let [(_, message)] = own.as_slice() else { panic!("{warnings:?}") };
    assert!(message.contains("@company/tsconfig"), "{message}");
}

#[test]
fn a_tsconfig_extends_a_package_of_the_program_that_is_not_installed() {
    let base = r#"{ "compilerOptions": { "paths": { "@/*": ["${configDir}/src/*"] } } }"#;
    let project = Project::new(&[
        ("package.json", "{}"),
        ("config/package.json", r#"{ "name": "@repo/config" }"#),
        ("config/strict.json", base),
        ("app/package.json", "{}"),
        ("app/tsconfig.json", r#"{ "extends": "@repo/config/strict" }"#),
        ("app/src/a.ts", ""),
    ]);
    assert_eq!(check(&project, "app/main.ts", &[("@/a", "app/src/a.ts")]), vec![]);
}

#[test]
fn what_a_package_of_the_program_exports_from_its_output_is_its_source() {
    let manifest = r#"{ "name": "@repo/shared", "exports": {
      ".": "./dist/src/index.js",
      "./query": { "types": "./dist/src/features/query/index.d.ts",
                   "import": "./dist/src/features/query/index.js" },
      "./parts/*": { "require": "./dist/src/parts/*.js" }
    } }"#;
    let project = Project::new(&[
        ("package.json", "{}"),
        ("shared/package.json", manifest),
        ("shared/src/index.ts", ""),
        ("shared/src/features/query/index.ts", ""),
        ("shared/src/parts/one.ts", ""),
    ]);
    let expected = [
        ("@repo/shared", "shared/src/index.ts"),
        ("@repo/shared/query", "shared/src/features/query/index.ts"),
        ("@repo/shared/parts/one", "shared/src/parts/one.ts"),
        ("@repo/shared/parts/two", "package"),
    ];
    assert_eq!(check(&project, "main.ts", &expected), vec![]);
}

#[test]
fn a_tsconfig_that_does_not_parse_is_named() {
    let project = Project::new(&[("tsconfig.json", "{ \"compilerOptions\": "), ("src/a.ts", "")]);
    let warnings = check(&project, "src/main.ts", &[("./a", "src/a.ts"), ("bare", "missing")]);
    let paths: Vec<&str> = warnings.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths, ["tsconfig.json"]);
}

#[test]
fn a_package_json_that_does_not_parse_is_named() {
    let project = Project::new(&[("package.json", "{ \"name\": "), ("src/a.ts", "")]);
    let warnings = check(&project, "src/main.ts", &[("./a", "src/a.ts"), ("bare", "missing")]);
    let [(path, message), ..] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert_eq!(path, "package.json");
    assert!(message.contains("correct it") && !message.contains("JSONError"), "{message}");
}

#[test]
fn installed_packages_are_packages() {
    let exports = r#"{
      "name": "modern",
      "exports": {
        ".": { "import": "./esm.mjs", "require": "./cjs.cjs" },
        "./part": { "types": "./part.d.ts", "default": "./part.js" },
        "./files/*": "./files/*.js",
        "./files/private/*": null
      }
    }"#;
    let project = Project::new(&[
        ("node_modules/modern/package.json", exports),
        ("node_modules/modern/esm.mjs", ""),
        ("node_modules/modern/cjs.cjs", ""),
        ("node_modules/modern/part.js", ""),
        ("node_modules/modern/part.d.ts", ""),
        ("node_modules/modern/files/a.js", ""),
        ("node_modules/modern/files/private/b.js", ""),
        ("node_modules/modern/hidden.js", ""),
        ("node_modules/old/package.json", r#"{ "name": "old", "main": "lib/start" }"#),
        ("node_modules/old/lib/start.js", ""),
        ("node_modules/@scope/plain/index.js", ""),
        ("node_modules/@types/only/index.d.ts", ""),
    ]);
    let expected = [
        ("modern", "package"),
        ("modern/part", "package"),
        ("modern/files/a", "package"),
        ("modern/files/private/b", "missing"),
        ("modern/hidden.js", "missing"),
        ("old", "package"),
        ("old/lib/start.js", "package"),
        ("old/lib/start", "package"),
        ("@scope/plain", "package"),
    ];
    check(&project, "src/main.ts", &expected);
    assert_eq!(project.names(&project.load()), ["src/main.ts"]);
}

#[test]
fn a_package_imports_from_itself() {
    let manifest = r##"{
      "name": "own",
      "exports": { ".": "./src/index.ts", "./*": "./src/*.ts", "./built": "./dist/built.js" },
      "imports": {
        "#a": "./src/a.ts",
        "#lib/*": "./src/lib/*.ts",
        "#platform": { "node": "./src/node.ts", "default": "./src/browser.ts" },
        "#dep": "installed"
      }
    }"##;
    let project = Project::new(&[
        ("package.json", manifest),
        ("src/index.ts", ""),
        ("src/a.ts", ""),
        ("src/lib/b.ts", ""),
        ("src/node.ts", ""),
        ("src/browser.ts", ""),
        ("src/built.ts", ""),
        ("node_modules/installed/index.js", ""),
    ]);
    let expected = [
        ("#a", "src/a.ts"),
        ("#lib/b", "src/lib/b.ts"),
        ("#platform", "src/node.ts"),
        ("#dep", "package"),
        ("#gone", "missing"),
        ("own", "src/index.ts"),
        ("own/a", "src/a.ts"),
        ("own/lib/b", "src/lib/b.ts"),
        ("own/built", "src/built.ts"),
    ];
    assert_eq!(check(&project, "src/deep/main.ts", &expected), vec![]);
}

#[cfg(unix)]
#[test]
fn a_linked_workspace_is_part_of_the_program() {
    let project = Project::new(&[
        ("package.json", r#"{ "workspaces": ["packages/*"] }"#),
        ("packages/a/package.json", r#"{ "name": "@repo/a", "main": "src/start.ts" }"#),
        ("packages/a/src/start.ts", ""),
        ("packages/a/src/part.ts", ""),
        ("packages/b/package.json", r#"{ "name": "@repo/b", "main": "dist/index.js" }"#),
        ("packages/b/src/index.ts", ""),
        ("packages/b/dist/index.js", ""),
        (".gitignore", "dist\nnode_modules\n"),
    ]);
    project.link("packages/a", "node_modules/@repo/a");
    project.link("packages/b", "node_modules/@repo/b");
    let expected = [
        ("@repo/a", "packages/a/src/start.ts"),
        ("@repo/a/src/part", "packages/a/src/part.ts"),
        ("@repo/b", "packages/b/src/index.ts"),
        ("@repo/b/dist/index.js", "packages/b/src/index.ts"),
    ];
    assert_eq!(check(&project, "packages/c/main.ts", &expected), vec![]);
}

#[test]
fn a_workspace_that_is_not_installed_is_found_by_name() {
    let project = Project::new(&[
        ("packages/a/package.json", r#"{ "name": "@repo/a", "main": "dist/index.js" }"#),
        ("packages/a/src/index.ts", ""),
        ("packages/a/src/part.ts", ""),
        ("packages/a/tools/build.ts", ""),
        ("packages/b/package.json", r#"{ "name": "b" }"#),
        ("packages/b/index.js", ""),
    ]);
    let expected = [
        ("@repo/a", "packages/a/src/index.ts"),
        ("@repo/a/part", "packages/a/src/part.ts"),
        ("@repo/a/tools/build", "packages/a/tools/build.ts"),
        ("@repo/a/dist/part.js", "packages/a/src/part.ts"),
        ("@repo/a/gone", "package"),
        ("b", "packages/b/index.js"),
    ];
    assert_eq!(check(&project, "packages/c/main.ts", &expected), vec![]);
}

#[test]
fn a_folder_says_which_file_is_its_main() {
    let project = Project::new(&[
        ("lib/package.json", r#"{ "main": "./start.js" }"#),
        ("lib/start.js", ""),
        ("lib/index.js", ""),
        ("other/package.json", r#"{ "main": "./gone.js" }"#),
        ("other/index.js", ""),
        ("named/package.json", r#"{ "type": "module" }"#),
        ("named/index.js", ""),
    ]);
    let expected =
        [("./lib", "lib/start.js"), ("./other", "other/index.js"), ("./named", "named/index.js")];
    assert_eq!(check(&project, "main.js", &expected), vec![]);
}

#[test]
fn requests_are_told_by_the_way_they_ask() {
    let source = "
        import type { A } from './a';
        import { b } from './b';
        export * from './c';
        const d = import('./d');
        const e = require('./e');
        import f = require('./f');
        import(`./a`); import(name); import('./' + name); import(`./${name}`);
        require(name); require('./' + name); require.resolve('./a');
    ";
    let project = Project::new(&[
        ("main.ts", source),
        ("a.ts", ""),
        ("b.ts", ""),
        ("c.ts", ""),
        ("d.ts", ""),
        ("e.ts", ""),
        ("f.ts", ""),
    ]);
    let program = project.load();
    let ir = &project.file(&program, "main.ts").ir;
    let kinds: Vec<(String, RequestKind)> =
        ir.requests.iter().map(|it| (project.answer(&program, it.resolution), it.kind)).collect();
    let expected = [
        ("a.ts", RequestKind::TypeOnly),
        ("b.ts", RequestKind::Import),
        ("c.ts", RequestKind::Import),
        ("d.ts", RequestKind::Dynamic),
        ("e.ts", RequestKind::Require),
        ("f.ts", RequestKind::Require),
    ];
    assert_eq!(kinds, expected.map(|(file, kind)| (file.to_owned(), kind)));
    assert_eq!(project.warnings(&program), vec![]);
}

#[test]
fn a_type_of_a_package_that_is_not_installed_is_no_problem() {
    let project = Project::new(&[
        ("package.json", "{}"),
        ("main.ts", "import type { A } from 'gone'; export type { B } from 'lost';"),
    ]);
    let program = project.load();
    let expected = [("gone", "missing"), ("lost", "missing")];
    assert_eq!(project.requests(&program, "main.ts"), owned(&expected));
    assert_eq!(project.warnings(&program), vec![]);
}

#[test]
fn files_may_import_one_another_in_a_circle() {
    let project = Project::new(&[
        ("a.ts", "import './b'; import './a';"),
        ("b.ts", "export * from './c.js';"),
        ("c.ts", "const a = require('./a');"),
    ]);
    let program = project.load();
    let own = [("./b", "b.ts"), ("./a", "a.ts")];
    assert_eq!(project.requests(&program, "a.ts"), owned(&own));
    assert_eq!(project.requests(&program, "b.ts"), owned(&[("./c.js", "c.ts")]));
    assert_eq!(project.requests(&program, "c.ts"), owned(&[("./a", "a.ts")]));
}

#[test]
fn what_is_not_built_yet_is_its_source() {
    let project = Project::new(&[
        ("packages/a/src/x.ts", ""),
        ("packages/a/src/deep/y.tsx", ""),
        ("packages/a/src/z/index.ts", ""),
    ]);
    let expected = [
        ("../dist/x.js", "packages/a/src/x.ts"),
        ("../dist/x", "packages/a/src/x.ts"),
        ("../lib/deep/y.js", "packages/a/src/deep/y.tsx"),
        ("../build/z", "packages/a/src/z/index.ts"),
        ("../out/x.js", "packages/a/src/x.ts"),
        ("../dist/gone.js", "missing"),
        ("../other/x.js", "missing"),
    ];
    check(&project, "packages/a/bin/run.js", &expected);
}

#[test]
fn what_is_built_and_part_of_the_program_is_itself() {
    let project = Project::new(&[("src/x.ts", ""), ("lib/x.js", "")]);
    assert_eq!(check(&project, "bin/run.js", &[("../lib/x.js", "lib/x.js")]), vec![]);
}

#[test]
fn an_ignored_file_is_loaded_where_it_is_imported() {
    let project = Project::new(&[
        (".gitignore", "generated/\n*.local.js\n"),
        ("generated/client.ts", ""),
        ("settings.local.js", ""),
        ("src/a.ts", ""),
    ]);
    let expected = [
        ("../generated/client", "generated/client.ts"),
        ("../generated/client.js", "generated/client.ts"),
        ("../settings.local.js", "settings.local.js"),
        ("../settings.local", "settings.local.js"),
        ("./a", "src/a.ts"),
    ];
    assert_eq!(check(&project, "src/main.ts", &expected), vec![]);
}

#[test]
fn tests_that_nothing_imports_are_left_out_unless_asked_for() {
    let files = [
        ("src/a.ts", "import './a.test'; import '../test/helper';"),
        ("src/a.test.ts", "import './a';"),
        ("test/helper.ts", ""),
        ("src/__tests__/b.ts", ""),
    ];
    let project = Project::new(&files);
    let program = project.load();
    assert_eq!(project.names(&program), ["src/a.ts", "src/a.test.ts", "test/helper.ts"]);
    let inside = [("./a.test", "src/a.test.ts"), ("../test/helper", "test/helper.ts")];
    assert_eq!(project.requests(&program, "src/a.ts"), owned(&inside));

    let program = project.load_with(true);
    let all = ["src/__tests__/b.ts", "src/a.test.ts", "src/a.ts", "test/helper.ts"];
    assert_eq!(project.names(&program), all);
    let inside = [("./a.test", "src/a.test.ts"), ("../test/helper", "test/helper.ts")];
    assert_eq!(project.requests(&program, "src/a.ts"), owned(&inside));
    assert_eq!(project.requests(&program, "src/a.test.ts"), owned(&[("./a", "src/a.ts")]));
}

#[test]
fn names_with_odd_characters_are_found() {
    let project = Project::new(&[
        ("src/[slug]/page.ts", ""),
        ("src/(group)/a b.ts", ""),
        ("src/ümlaut.ts", ""),
        ("src/$route.ts", ""),
    ]);
    let expected = [
        ("./[slug]/page", "src/[slug]/page.ts"),
        ("./(group)/a b", "src/(group)/a b.ts"),
        ("./ümlaut.js", "src/ümlaut.ts"),
        ("./$route", "src/$route.ts"),
    ];
    assert_eq!(check(&project, "src/main.ts", &expected), vec![]);
}

#[test]
fn answers_do_not_depend_on_who_asks_first() {
    let importer = "import 'dep'; import '@/x'; import './local';";
    let mut files = vec![
        ("packages/a/package.json", r#"{ "name": "a" }"#),
        ("packages/a/node_modules/dep/index.js", ""),
        ("packages/b/package.json", r#"{ "name": "b" }"#),
    ];
    let paths: Vec<String> = (0..20)
        .flat_map(|n| [format!("packages/a/m{n}.ts"), format!("packages/b/m{n}.ts")])
        .collect();
    files.extend(paths.iter().map(|path| (path.as_str(), importer)));
    let project = Project::new(&files);
    let program = project.load();
    for path in &paths {
        let dep = if path.starts_with("packages/a") { "package" } else { "missing" };
        let expected = [("dep", dep), ("@/x", "missing"), ("./local", "missing")];
        assert_eq!(project.requests(&program, path), owned(&expected), "{path}");
    }
}

#[test]
fn a_file_that_does_not_parse_is_told_from_one_that_is_not_there() {
    let project = Project::new(&[
        ("package.json", "{}"),
        ("broken.js", "const text = \"never ends;"),
        ("typed/broken.ts", "const = 1;"),
        ("ignored/broken.js", "const = 1;"),
        (".gitignore", "ignored"),
    ]);
    let expected = [
        ("./broken.js", "unreadable"),
        ("./broken", "unreadable"),
        ("./typed/broken.js", "unreadable"),
        ("./ignored/broken.js", "unreadable"),
        ("./nothing.js", "missing"),
    ];
    project.importer("main.js", &expected);
    let options = LoadOptions {
        root: project.root.clone(),
        paths: vec![PathBuf::from(".")],
        ..LoadOptions::default()
    };
    let program = load(&options, &Progress::default()).unwrap();
    assert_eq!(project.requests(&program, "main.js"), owned(&expected));
}
