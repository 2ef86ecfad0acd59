import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";

const LOCK_FILES = ["package-lock.json", "yarn.lock", "pnpm-lock.yaml"];

/** @param {string} root */
export async function readProject(root) {
  const names = await readdir(root);
  names.sort();
  return {
    readme: names.find((name) => /^readme(\.|$)/i.test(name)) ?? null,
    license: names.find((name) => /^(licen[cs]e|copying)(\.|$)/i.test(name)) ?? null,
    package: names.includes("package.json") ? await readPackage(root, names) : null,
  };
}

/**
 * @param {string} root
 * @param {string[]} names what the directory holds
 */
async function readPackage(root, names) {
  const lockFile = LOCK_FILES.find((name) => names.includes(name)) ?? null;
  if (lockFile !== "package-lock.json") {
    const text = await readFile(path.join(root, "package.json"), "utf8");
    const { name = null, version = null } = parse(text);
    return { name, version, lockFile, lockInSync: null };
  }

  const manifestText = await readFile(path.join(root, "package.json"), "utf8");
  const lockText = await readFile(path.join(root, "package-lock.json"), "utf8");
  const manifest = parse(manifestText);
  const locked = parse(lockText).packages?.[""] ?? {};
  const lockInSync = ["dependencies", "devDependencies", "optionalDependencies"].every((key) =>
    isDeepStrictEqual(manifest[key] ?? {}, locked[key] ?? {}),
  );
  return { name: manifest.name ?? null, version: manifest.version ?? null, lockFile, lockInSync };
}

/**
 * A half-edited or conflicted file is no reason to show no status at all.
 * @param {string} text
 */
function parse(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
