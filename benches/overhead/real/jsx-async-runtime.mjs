/** A page with a table, made of components: those of its rows are async, and have nothing to wait for. */
import { jsxToString } from "./jsx-async-runtime/index.js";
import { jsx } from "./jsx-async-runtime/jsx/jsx-runtime.js";

const rows = Array.from({ length: 100 }, (_, at) => {
  return { id: at, name: `Product ${at} & more`, price: (at * 37) % 1000, sold: at % 3 === 0 };
});

const Price = ({ value }) => jsx("td", { class: "price", children: `${value / 100} EUR` });

async function Row({ row }) {
  return jsx("tr", {
    id: `row-${row.id}`,
    class: { sold: row.sold },
    children: [
      jsx("td", { children: row.id }),
      jsx("td", { children: jsx("a", { href: `/products/${row.id}`, children: row.name }) }),
      jsx(Price, { value: row.price }),
      jsx("td", { children: row.sold ? "sold" : null }),
    ],
  });
}

function Page({ title }) {
  const head = jsx("head", { children: jsx("title", { children: title }) });
  const table = jsx("table", { children: rows.map((row) => jsx(Row, { row })) });
  const body = jsx("body", { children: [jsx("h1", { children: title }), table] });
  return jsx("html", { lang: "en", children: [head, body] });
}

/** How long the pages are, over all rounds. */
export async function run(rounds) {
  let length = 0;
  for (let round = 0; round < rounds; round++) {
    const page = await jsxToString.call({}, jsx(Page, { title: `Page ${round % 10}` }));
    length += page.length;
  }
  return length;
}
