import type { ComponentChildren } from "preact";

import { ThemeSwitch } from "./theme.js";

interface FrameProps {
  /** The command that the page is of. */
  readonly name: string;
  /** What the link for those who use the keyboard says. */
  readonly skip: string;
  readonly footer: string;
  readonly children: ComponentChildren;
}

/** What stands around every page: its bar above and its last line. */
export function Frame({ name, skip, footer, children }: FrameProps) {
  return (
    <>
      <a class="skip" href="#main">
        {skip}
      </a>
      <header class="bar">
        <span class="brand">
          <span class="mark" aria-hidden="true" />
          Headstart <span class="dim">{name}</span>
        </span>
        <ThemeSwitch />
      </header>
      <main id="main">{children}</main>
      <footer>{footer}</footer>
    </>
  );
}
