import { installNpm } from "../lib/install.mjs";
import { serveFiles } from "../lib/serve.mjs";
import { clickAt, pointOf, pressTimes, scroll, typeWords, until } from "../lib/user.mjs";

/** The documented way to load the editor, with a long text so that its workers have to work. */
const PAGE = `<!doctype html>
<link rel="icon" href="data:," />
<title>Monaco</title>
<style>html, body, #editor { height: 100%; margin: 0; }</style>
<div id="editor"></div>
<script src="node_modules/monaco-editor/min/vs/loader.js"></script>
<script>
  require.config({ paths: { vs: "node_modules/monaco-editor/min/vs" } });
  require(["vs/editor/editor.main"], () => {
    window.editor = monaco.editor.create(document.getElementById("editor"), {
      language: "typescript",
      value: Array.from({ length: 300 }, (_, i) => "const value" + i + ": number = " + i + ";").join("\\n"),
    });
  });
</script>
`;

export default {
  name: "monaco",
  about: "Monaco 0.57.0 (MIT), the editor of VS Code: language services in web workers.",

  /** @param {string} folder */
  install: (folder) =>
    installNpm(folder, {
      dependencies: { "monaco-editor": "0.57.0" },
      files: { "index.html": PAGE },
    }),

  /** @param {string} folder */
  start: (folder) => serveFiles(folder),

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    const lines = await pointOf(page, ".monaco-editor .overflow-guard");
    await page.waitForTimeout(2000);
    await clickAt(page, lines);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await typeWords(page, "function add(a: number, b: string) { return a - b.");
    await until(page, `document.querySelector(".suggest-widget.visible")`, "what may follow");
    await page.waitForTimeout(600);
    await page.keyboard.press("Escape");
    await typeWords(page, "length; ");
    await until(page, `document.querySelector(".squiggly-error")`, "the error of the types");
    await scroll(page, lines, 400, 12);
    await page.keyboard.press("Control+f");
    await typeWords(page, "value29");
    await pressTimes(page, "Enter", 5);
    await until(page, `document.querySelectorAll(".findMatch").length > 3`, "what was found");
    await page.keyboard.press("Escape");
    await pressTimes(page, "PageDown", 6);
    await page.keyboard.press("F1");
    await page.waitForTimeout(500);
    await typeWords(page, "sort lines");
    await page.waitForTimeout(800);
    await page.keyboard.press("Escape");
  },
};
