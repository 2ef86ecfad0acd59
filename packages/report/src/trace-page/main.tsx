import { render } from "preact";

import type { TraceReport } from "../trace/report.js";
import { App } from "./app.js";

const host = document.getElementById("report");
const data = document.getElementById("results");
if (host !== null && data !== null) {
  const report = JSON.parse(data.textContent) as TraceReport;
  host.replaceChildren();
  render(<App report={report} />, host);
}
