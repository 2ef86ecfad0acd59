import { installNpm } from "../lib/install.mjs";
import { serveFiles } from "../lib/serve.mjs";
import { scroll, typeWords, until } from "../lib/user.mjs";

/** Its own store for trying it out keeps the files in the page. */
const PAGE = `<!doctype html>
<title>Decap CMS</title>
<link rel="icon" href="data:," />
<script>
  window.repoFiles = { posts: {} };
  for (let i = 1; i <= 40; i++) {
    const content = "---\\ntitle: Night " + i + "\\n---\\nIt was *night* number " + i + ".\\n";
    window.repoFiles.posts["night-" + i + ".md"] = { content };
  }
</script>
<body>
<script src="node_modules/decap-cms/dist/decap-cms.js"></script>
`;

const CONFIG = `backend:
  name: test-repo
media_folder: images
collections:
  - name: posts
    label: Posts
    folder: posts
    create: true
    fields:
      - { label: Title, name: title, widget: string }
      - { label: Draft, name: draft, widget: boolean, required: false }
      - { label: Body, name: body, widget: markdown }
`;

const NEW_POST = `a[href='#/collections/posts/new']`;

const TEXT = `[contenteditable="true"]`;

/**
 * Publishes what is being written.
 * @param {import("../lib/user.mjs").Page} page
 */
async function publish(page) {
  await page.waitForTimeout(800);
  await page.click(`[role="button"][aria-haspopup]`);
  await page.waitForTimeout(600);
  await page.click(`[role="menuitem"]`);
  await until(page, `document.body.innerText.includes("Published")`, "that it is published");
  await page.waitForTimeout(800);
}

export default {
  name: "decap-cms",
  about: "Decap CMS 3.16.3 (MIT), a page that edits the content of a site, in React and Redux.",

  /** @param {string} folder */
  install: (folder) =>
    installNpm(folder, {
      dependencies: { "decap-cms": "3.16.3" },
      files: { "index.html": PAGE, "config.yml": CONFIG },
    }),

  /** @param {string} folder */
  start: (folder) => serveFiles(folder),

  /** @param {import("../lib/user.mjs").Page} page */
  async drive(page) {
    await page.waitForSelector("button, a", { timeout: 20_000 });
    await page.waitForTimeout(1000);
    if (!(await page.evaluate(`Boolean(document.querySelector("${NEW_POST}"))`))) {
      await page.click("button");
    }
    await page.waitForSelector(`a[href$="entries/night-38"]`, { timeout: 20_000 });
    await scroll(page, { x: 700, y: 500 }, 400, 5);
    await page.click(`a[href$="entries/night-38"]`);
    await page.waitForSelector(TEXT, { timeout: 10_000 });
    await page.waitForTimeout(800);
    await page.click(TEXT);
    await typeWords(page, "The wind blew from the sea. ");
    await publish(page);
    await page.click(`a[href="#/collections/posts"]`);
    await page.waitForSelector(NEW_POST, { timeout: 10_000 });
    await page.waitForTimeout(800);
    await page.click(NEW_POST);
    await page.waitForSelector(`input[id^="title-field"]`, { timeout: 10_000 });
    await page.waitForTimeout(800);
    await page.click(`input[id^="title-field"]`);
    await typeWords(page, "A new night");
    await page.click(`button[id^="draft-field"]`);
    await page.click(TEXT);
    await page.click(`button[title="Bold"]`);
    await typeWords(page, "It was the last one.");
    await publish(page);
  },
};
