/** What `npm run build` makes of `src/page`. */
declare module "*/dist/page.js" {
  /** The script of the page, bundled. */
  export const script: string;
  export const style: string;
  /** Licences of what is bundled. */
  export const notices: string;
}

/** What `npm run build` makes of `src/trace-page`. */
declare module "*/dist/trace-page.js" {
  /** The script of the page, bundled. */
  export const script: string;
  export const style: string;
  /** Licences of what is bundled. */
  export const notices: string;
}

/** What `npm run build` makes of `src/waterfalls-page`. */
declare module "*/dist/waterfalls-page.js" {
  /** The script of the page, bundled. */
  export const script: string;
  export const style: string;
  /** Licences of what is bundled. */
  export const notices: string;
}
