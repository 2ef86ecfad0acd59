/** The package of each file below a `node_modules`: `name` or `@scope/name`. */
const PACKAGE =
  /[\\/]node_modules[\\/](?![\s\S]*[\\/]node_modules[\\/])((?:@[^\\/]+[\\/])?[^\\/]+)/;

/** Whether a file is a package's, and of none that is named. */
export function isOfOtherPackage(file: string, named: readonly string[]): boolean {
  const name = PACKAGE.exec(file)?.[1]?.replace("\\", "/");
  return name !== undefined && !named.includes(name);
}
