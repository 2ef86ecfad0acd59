/** Markdown tables of what was measured. */

/** A ratio with two or three digits that count. */
function number(value) {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

/** A median with its quartiles; what went wrong instead of a number where something did. */
export function spread(cell) {
  if (!cell) return "–";
  if (cell.fault) return `**${cell.fault}**`;
  return `${number(cell.median)} (${number(cell.low)}–${number(cell.high)})`;
}

export function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The geometric mean of a column, over the programs that it has a number for. */
export function mean(cells) {
  const values = cells.filter((it) => it && !it.fault).map((it) => Math.log(it.median));
  if (values.length === 0) return "–";
  const value = number(Math.exp(values.reduce((a, b) => a + b, 0) / values.length));
  return values.length === cells.length ? value : `${value} (of ${values.length})`;
}

/** Programs down, variants across. */
export function programTable(rows, variants, needed) {
  const shown = variants.filter((it) => !(needed && it.onlyNotNeeded));
  const chosen = rows.filter((it) => it.needed === needed);
  const body = chosen.map(({ program, cells }) => [
    program,
    ...shown.map(({ id }) => spread(cells[id])),
  ]);
  const means = shown.map(({ id }) => mean(chosen.map(({ cells }) => cells[id])));
  const head = ["program", ...shown.map(({ title }) => title)];
  return table(head, [...body, ["geometric mean", ...means]]);
}

export function sizeTable(rows, variants) {
  const cell = (it) =>
    it.fault ? `**${it.fault}**` : `${number(it.minified)} / ${number(it.gzip)}`;
  const body = rows.map(({ program, cells }) => [
    program,
    ...variants.map(({ id }) => cell(cells[id])),
  ]);
  const means = variants.map(({ id }) => {
    const of = (key) => mean(rows.map(({ cells }) => ({ median: cells[id][key] })));
    return `${of("minified")} / ${of("gzip")}`;
  });
  const head = ["program", ...variants.map(({ title }) => title)];
  return table(head, [...body, ["geometric mean", ...means]]);
}

export function coverageTable(rows) {
  const body = rows.map(({ program, functions, converted, left }) => [
    program,
    `${converted} of ${functions}`,
    [...new Set(left)].join(", "),
  ]);
  return table(["program", "converted", "left async because of"], body);
}

export function streamTable(rows, titles) {
  const ids = Object.keys(titles).filter((id) => rows.some(({ cells }) => cells[id]));
  const body = rows.map(({ compiler, cells }) => [compiler, ...ids.map((id) => spread(cells[id]))]);
  return table(["compiled by", ...ids.map((id) => titles[id])], body);
}

export function chainTable(rows, variants) {
  const body = rows.map(({ depth, cells }) => [
    depth,
    ...variants.map(({ id }) => spread(cells[id])),
  ]);
  return table(["depth", ...variants.map(({ title }) => title)], body);
}
