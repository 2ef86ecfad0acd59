import { render } from "preact";

import type { WaterfallsReport } from "../waterfalls/report.js";
import { App } from "./app.js";

const host = document.getElementById("report");
const data = document.getElementById("results");
if (host !== null && data !== null) {
  const report = JSON.parse(data.textContent) as WaterfallsReport;
  host.replaceChildren();
  render(<App report={report} />, host);
}
