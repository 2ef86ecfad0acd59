//! Which project a folder belongs to, and what is loaded of the projects around it.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use headstart_frontend::{LoadOptions, Program, Progress, Projects, load};
use headstart_ir::Resolution;

struct Tree {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Tree {
    /// Files by their paths; a path that ends in `/` is a folder.
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let tree = Self { _folder: folder, root };
        // What lies above the temporary folder has no say.
        for (path, text) in [&[("all/.git/", "")], files].concat() {
            let at = tree.root.join(path);
            if path.ends_with('/') {
                std::fs::create_dir_all(at).unwrap();
            } else {
                std::fs::create_dir_all(at.parent().unwrap()).unwrap();
                std::fs::write(at, text).unwrap();
            }
        }
        tree
    }

    fn root_of(&self, folder: &str) -> String {
        self.name(&Projects::default().root_of(&self.root.join(folder)).unwrap())
    }

    fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap_or(path).to_string_lossy().into_owned()
    }

    fn load(&self, path: &str) -> Program {
        let options = LoadOptions {
            root: self.root.join("all"),
            paths: vec![self.root.join(path)],
            projects: Some(Arc::new(Projects::default())),
            ..LoadOptions::default()
        };
        load(&options, &Progress::default()).unwrap()
    }

    fn files(&self, program: &Program, is_foreign: bool) -> Vec<String> {
        let files = program.files.iter().filter(|it| it.is_foreign == is_foreign);
        files.map(|it| self.name(&it.path)).collect()
    }
}

const PACKAGE: &str = r#"{ "name": "it" }"#;

#[test]
fn the_nearest_package_or_repository_is_the_project() {
    let tree = Tree::new(&[
        ("all/one/package.json", PACKAGE),
        ("all/one/src/deep/", ""),
        ("all/two/.git/", ""),
        ("all/two/src/", ""),
        ("all/two/inner/package.json", "{ broken"),
        ("all/linked/.git", "gitdir: elsewhere"),
        ("all/loose/src/", ""),
    ]);
    assert_eq!(tree.root_of("all/one/src/deep"), "all/one");
    assert_eq!(tree.root_of("all/two/src"), "all/two");
    assert_eq!(tree.root_of("all/two/inner"), "all/two/inner");
    assert_eq!(tree.root_of("all/linked"), "all/linked");
    assert_eq!(tree.root_of("all/loose/src"), "all");
}

#[test]
fn what_only_says_how_files_are_loaded_belongs_to_the_package_around_it() {
    let module = r#"{ "type": "module" }"#;
    let tree = Tree::new(&[
        ("all/one/package.json", PACKAGE),
        ("all/one/esm/package.json", module),
        ("all/tiny/package.json", module),
        ("all/tiny/cjs/package.json", "{}"),
    ]);
    assert_eq!(tree.root_of("all/one/esm"), "all/one");
    assert_eq!(tree.root_of("all/tiny"), "all/tiny");
    assert_eq!(tree.root_of("all/tiny/cjs"), "all/tiny");
}

#[test]
fn a_workspace_is_one_project_with_the_packages_that_it_lists() {
    let lists = [
        ("package.json", r#"{ "name": "w", "workspaces": ["./packages/*", "!packages/not"] }"#),
        (
            "package.json",
            r#"{ "name": "w", "workspaces": { "packages": ["packages/*", "!packages/not"] } }"#,
        ),
        ("pnpm-workspace.yaml", "packages:\n  # all\n  - 'packages/*'\n  - '!packages/not'\n"),
        ("lerna.json", r#"{ "packages": ["packages/*", "!packages/not"] }"#),
    ];
    for (file, text) in lists {
        let tree = Tree::new(&[
            (&format!("all/w/{file}"), text),
            ("all/w/packages/a/package.json", PACKAGE),
            ("all/w/packages/a/src/", ""),
            ("all/w/packages/a/fixture/package.json", PACKAGE),
            ("all/w/packages/not/package.json", PACKAGE),
            ("all/w/packages/sub/.git", "gitdir: elsewhere"),
            ("all/w/packages/sub/package.json", PACKAGE),
            ("all/w/examples/e/package.json", PACKAGE),
            ("all/w/tools/", ""),
        ]);
        assert_eq!(tree.root_of("all/w/packages/a/src"), "all/w", "{file}");
        assert_eq!(tree.root_of("all/w/tools"), "all/w", "{file}");
        assert_eq!(tree.root_of("all/w/packages/sub"), "all/w", "{file}");
        for own in ["packages/a/fixture", "packages/not", "examples/e"] {
            let own = format!("all/w/{own}");
            assert_eq!(tree.root_of(&own), own, "{file}");
        }
    }
}

#[test]
fn lerna_alone_lists_what_stands_under_packages() {
    let tree = Tree::new(&[
        ("all/w/lerna.json", "{}"),
        ("all/w/packages/a/package.json", PACKAGE),
        ("all/w/other/a/package.json", PACKAGE),
    ]);
    assert_eq!(tree.root_of("all/w/packages/a"), "all/w");
    assert_eq!(tree.root_of("all/w/other/a"), "all/w/other/a");
}

#[test]
fn the_root_that_is_given_takes_in_all_below_it() {
    let tree = Tree::new(&[("all/one/package.json", PACKAGE), ("all/one/x/package.json", PACKAGE)]);
    let projects = Projects::new(Some(tree.root.join("all")));
    assert_eq!(projects.root_of(&tree.root.join("all/one/x")), Some(tree.root.join("all")));
    let elsewhere = Projects::new(Some(tree.root.join("all/one/x")));
    assert_eq!(elsewhere.root_of(&tree.root.join("all/one")), Some(tree.root.join("all/one")));
}

#[test]
fn projects_below_are_left_out_and_named() {
    let tree = Tree::new(&[
        ("all/package.json", PACKAGE),
        ("all/a.js", ""),
        ("all/esm/package.json", "{}"),
        ("all/esm/b.js", ""),
        ("all/other/package.json", PACKAGE),
        ("all/other/c.js", ""),
        ("all/other/inner/.git/", ""),
        ("all/cloned/.git/", ""),
        ("all/cloned/d.js", ""),
    ]);
    let program = tree.load("all");
    assert_eq!(tree.files(&program, false), ["all/a.js", "all/esm/b.js"]);
    let nested: Vec<String> = program.nested.iter().map(|it| tree.name(it)).collect();
    assert_eq!(nested, ["all/cloned", "all/other"]);
}

#[test]
fn what_is_imported_from_another_project_is_loaded() {
    let tree = Tree::new(&[
        ("all/app/package.json", PACKAGE),
        ("all/app/main.ts", "import '../shared/one'; import './test/helper.js'; import 'x';"),
        ("all/app/test/helper.js", ""),
        ("all/app/node_modules/x/index.js", "import './y.js';"),
        ("all/app/node_modules/x/y.js", ""),
        ("all/shared/package.json", PACKAGE),
        ("all/shared/one.ts", "import './two.js'; import './broken.js'; import '../app/main.js';"),
        ("all/shared/two.ts", "import './one.js'; import './data.json';"),
        ("all/shared/data.json", "{}"),
        ("all/shared/broken.js", "let = ;"),
        ("all/shared/unrelated.ts", ""),
    ]);
    let program = tree.load("all/app");
    assert_eq!(tree.files(&program, false), ["all/app/main.ts"]);
    assert_eq!(
        tree.files(&program, true),
        ["all/app/test/helper.js", "all/shared/one.ts", "all/shared/two.ts"]
    );
    let leads = |file: usize| -> Vec<Option<String>> {
        let requests = program.files[file].ir.requests.iter();
        let target = |it| match it {
            Resolution::File(id) => Some(tree.name(&program.files[id.0 as usize].path)),
            _ => None,
        };
        requests.map(|it| target(it.resolution)).collect()
    };
    let some = |name: &str| Some(name.to_owned());
    assert_eq!(leads(0), [some("all/shared/one.ts"), some("all/app/test/helper.js"), None]);
    assert_eq!(leads(2), [some("all/shared/two.ts"), None, some("all/app/main.ts")]);
    assert_eq!(leads(3), [some("all/shared/one.ts"), None]);
}

#[test]
fn what_is_imported_is_part_of_the_program_whatever_its_name() {
    let tree = Tree::new(&[
        ("all/one/package.json", PACKAGE),
        ("all/one/.gitignore", "generated/"),
        (
            "all/one/main.js",
            r#"import "./generated/client.js"; import "./test/patch.js"; await import("./__tests__/more");
               import "./dist/gone.js"; import "./node_modules/dep/index.js";"#,
        ),
        ("all/one/generated/client.js", r#"import "./deep.js";"#),
        ("all/one/generated/deep.js", ""),
        ("all/one/generated/alone.js", ""),
        ("all/one/test/patch.js", ""),
        ("all/one/test/main.test.js", ""),
        ("all/one/__tests__/more.js", ""),
        ("all/one/node_modules/dep/index.js", ""),
    ]);
    let program = tree.load("all/one");
    assert_eq!(tree.files(&program, false), ["all/one/main.js"]);
    let others = [
        "all/one/__tests__/more.js",
        "all/one/generated/client.js",
        "all/one/test/patch.js",
        "all/one/generated/deep.js",
    ];
    assert_eq!(tree.files(&program, true), others);
}

#[test]
fn what_the_configuration_excludes_stays_out() {
    let tree = Tree::new(&[
        ("all/one/package.json", PACKAGE),
        ("all/one/main.js", r#"import "./vendor/lib.js";"#),
        ("all/one/vendor/lib.js", ""),
    ]);
    let options = LoadOptions {
        root: tree.root.join("all"),
        paths: vec![tree.root.join("all/one")],
        exclude: vec!["vendor".to_owned()],
        projects: Some(Arc::new(Projects::default())),
        ..LoadOptions::default()
    };
    let program = load(&options, &Progress::default()).unwrap();
    assert_eq!(tree.files(&program, false), ["all/one/main.js"]);
    assert_eq!(tree.files(&program, true), [""; 0]);
}

#[test]
fn commands_without_an_ending_are_read() {
    let manifest = r#"{ "name": "it", "bin": { "a": "./bin/a", "b": "bin/b", "c": "bin/c.js", "d": "bin/gone" } }"#;
    let tree = Tree::new(&[
        ("all/one/package.json", manifest),
        ("all/one/bin/a", "#!/usr/bin/env node\nimport \"../lib.js\";"),
        ("all/one/bin/b", "#!/bin/sh\necho"),
        ("all/one/bin/c.js", "#!/usr/bin/env -S node --no-warnings\n"),
        ("all/one/lib.js", ""),
        ("all/two/package.json", r#"{ "name": "two", "bin": "./tool" }"#),
        ("all/two/tool", "#!/usr/bin/node\n"),
    ]);
    let program = tree.load("all/one");
    let own = ["all/one/bin/a", "all/one/bin/c.js", "all/one/lib.js"];
    assert_eq!(tree.files(&program, false), own);
    assert_eq!(tree.files(&tree.load("all/two"), false), ["all/two/tool"]);
}

#[test]
fn what_imports_a_test_runner_is_a_test_unless_it_is_named_or_imported() {
    let tree = Tree::new(&[
        ("all/one/package.json", PACKAGE),
        ("all/one/src/main.ts", "import { shared } from './shared.js';\nexport const x = shared;"),
        ("all/one/src/shared.ts", "import { vi } from 'vitest';\nexport const shared = vi;"),
        ("all/one/src/main.clienttest.ts", "import { vi } from 'vitest';\nvi.mock('./main.js');"),
        ("all/one/src/old.checks.js", "describe('x', () => { it('y', () => {}); });"),
        ("all/one/src/both.checks.js", "describe.concurrent(`x`, function () {});"),
        ("all/one/src/types.ts", "import type { Mock } from 'vitest';\nexport let mock: Mock;"),
        (
            "all/one/src/describe.js",
            "import { describe } from './it.js';\ndescribe('x', () => {});",
        ),
        ("all/one/src/it.js", "export const describe = (title, run) => run(title);"),
    ]);
    let program = tree.load("all/one");
    let own = ["describe.js", "it.js", "main.ts", "types.ts"].map(|it| format!("all/one/src/{it}"));
    assert_eq!(tree.files(&program, false), own);
    assert_eq!(tree.files(&program, true), ["all/one/src/shared.ts"]);
    let named = tree.load("all/one/src/main.clienttest.ts");
    assert_eq!(tree.files(&named, false), ["all/one/src/main.clienttest.ts"]);
}

#[test]
fn hidden_files_that_hold_code_are_read() {
    let tree = Tree::new(&[
        ("all/one/package.json", r#"{ "name": "it" }"#),
        ("all/one/.releaserc.js", ""),
        ("all/one/.pnp.cjs", ""),
        ("all/one/.env", ""),
        ("all/one/.yarn/releases/yarn.cjs", ""),
        ("all/one/main.js", ""),
    ]);
    let program = tree.load("all/one");
    assert_eq!(tree.files(&program, false), ["all/one/.releaserc.js", "all/one/main.js"]);
}
