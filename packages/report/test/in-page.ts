import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Charts are drawn once their width is known. */
export function isDrawn(): boolean {
  const charts = [...document.querySelectorAll(".chart")];
  return charts.length > 0 && charts.every((chart) => chart.firstElementChild !== null);
}

/** What a screen reader would say of the element with the focus. */
export function nameOfFocus(): string {
  const element = document.activeElement;
  if (element === null) return "";
  const label = element.getAttribute("aria-label");
  if (label !== null) return label;
  const labels = "labels" in element ? (element.labels as NodeListOf<Element> | null) : null;
  const text = labels?.[0]?.querySelector("span")?.textContent ?? element.textContent;
  return text.trim();
}

/** What axe finds. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string }[] }[];
}
