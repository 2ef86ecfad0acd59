/** Paper has no way to open anything: all of it is open while the page is printed. An effect of a page. */
export function printWhole(): () => void {
  let closed: HTMLDetailsElement[] = [];
  const open = () => {
    closed = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
    for (const each of closed) each.open = true;
  };
  const close = () => {
    for (const each of closed) each.open = false;
  };
  addEventListener("beforeprint", open);
  addEventListener("afterprint", close);
  return () => {
    removeEventListener("beforeprint", open);
    removeEventListener("afterprint", close);
  };
}
