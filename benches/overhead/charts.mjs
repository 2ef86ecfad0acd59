/** Charts of the programs' table as SVG, for light and dark pages. */
import { View, parse } from "vega";
import { compile } from "vega-lite";
import { write } from "./workspace.mjs";

const THEMES = {
  light: { background: "#ffffff", text: "#24292f", grid: "#d8dee4" },
  dark: { background: "#0d1117", text: "#e6edf3", grid: "#30363d" },
};

/** Colours that can be told apart on both backgrounds, and by people who see fewer of them. */
const COLOURS = [
  "#8c8c8c",
  "#e69f00",
  "#56b4e9",
  "#cc79a7",
  "#d55e00",
  "#009e73",
  "#9a8cff",
  "#f2495c",
  "#b5a300",
];

function theme({ background, text, grid }) {
  const colours = { labelColor: text, titleColor: text };
  return {
    background,
    axis: { ...colours, gridColor: grid, domainColor: grid, tickColor: grid },
    header: colours,
    legend: colours,
    title: { color: text, subtitleColor: text },
    view: { stroke: grid },
  };
}

function specification(points, { title, base, order, colours }, mode) {
  const x = { field: "variant", type: "nominal", sort: order, axis: null };
  const y = {
    field: "median",
    type: "quantitative",
    scale: { type: "log", nice: false },
    title: `CPU time / ${base} (log scale)`,
  };
  return {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    title,
    config: theme(THEMES[mode]),
    data: { values: points },
    facet: { column: { field: "program", type: "nominal", sort: null, title: null } },
    spec: {
      width: 110,
      height: 260,
      layer: [
        {
          // Bars on a log scale have no natural foot: points with their spread do not need one.
          mark: { type: "rule", strokeWidth: 2 },
          encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" } },
        },
        { mark: { type: "point", filled: true, size: 90 }, encoding: { x, y } },
      ].map((layer) => ({
        ...layer,
        encoding: {
          ...layer.encoding,
          color: {
            field: "variant",
            type: "nominal",
            sort: order,
            scale: { domain: order, range: colours },
            title: null,
          },
        },
      })),
    },
  };
}

/** What has no point, and why. */
function faults(cells) {
  const missing = cells.filter(({ fault }) => fault);
  if (missing.length === 0) return "";
  const texts = missing.map(({ program, variant, fault }) => `${program}, ${variant}: ${fault}`);
  return `No point for ${texts.join("; ")}`;
}

/**
 * Draws one mode of the programs' table.
 *
 * @returns {Promise<string[]>} the files written
 */
export async function drawPrograms(rows, variants, { needed, node }) {
  const shown = variants.filter((it) => !(needed && it.onlyNotNeeded));
  const all = rows
    .filter((it) => it.needed === needed)
    .flatMap(({ program, cells }) =>
      shown.map(({ id, title }) => ({ program, variant: title, ...cells[id] })),
    );
  const points = all.filter(({ fault }) => !fault);
  const title = {
    text: `Awaits ${needed ? "all" : "not"} needed, Node ${node}: medians and quartiles`,
    subtitle: faults(all),
    anchor: "start",
  };
  const order = shown.map((it) => it.title);
  const colours = shown.map((it) => COLOURS[variants.indexOf(it) % COLOURS.length]);
  const files = [];
  for (const mode of Object.keys(THEMES)) {
    const base = needed ? "async" : "sync";
    const { spec } = compile(specification(points, { title, base, order, colours }, mode));
    const svg = await new View(parse(spec), { renderer: "none" }).toSVG();
    const name = `programs-${needed ? "needed" : "not-needed"}-node${node}-${mode}.svg`;
    files.push(write("charts", name, svg));
  }
  return files;
}
