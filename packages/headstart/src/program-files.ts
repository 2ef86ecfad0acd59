const PROGRAM = /\.[cm]?[jt]sx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;

/** Whether a file is JavaScript or TypeScript with code in it, by its name. */
export function isProgram(file: string): boolean {
  return PROGRAM.test(file) && !DECLARATIONS.test(file);
}
