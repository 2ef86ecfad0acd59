import { render } from "preact";

import type { VerifyResult } from "../result.js";
import { App } from "./app.js";

const host = document.getElementById("report");
const data = document.getElementById("results");
if (host !== null && data !== null) {
  const results = JSON.parse(data.textContent) as VerifyResult[];
  host.replaceChildren();
  render(<App results={results} />, host);
}
