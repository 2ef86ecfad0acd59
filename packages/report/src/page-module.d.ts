/** What `npm run build` makes of `src/page`. */
declare module "*/dist/page.js" {
  /** The script of the report, bundled. */
  export const script: string;
  export const style: string;
  /** Licences of what is bundled. */
  export const notices: string;
}
