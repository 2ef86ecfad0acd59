// Parses every source file below the folders named with Babel, on one thread.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "@babel/parser";

const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/;

function* files(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const name = path.join(folder, entry.name);
    if (entry.isDirectory() && !/^(node_modules|\..*)$/.test(entry.name)) yield* files(name);
    else if (entry.isFile() && SOURCE.test(entry.name)) yield name;
  }
}

function plugins(file) {
  if (/\.[cm]?ts$/.test(file)) return ["typescript", "decorators"];
  if (file.endsWith(".tsx")) return ["typescript", "jsx", "decorators"];
  return ["jsx", "decorators"];
}

let failed = 0;
for (const folder of process.argv.slice(2)) {
  for (const file of files(folder)) {
    try {
      parse(readFileSync(file, "utf8"), {
        sourceType: "unambiguous",
        errorRecovery: true,
        allowReturnOutsideFunction: true,
        plugins: plugins(file),
      });
    } catch {
      failed += 1;
    }
  }
}
console.log(`${failed} files failed`);
