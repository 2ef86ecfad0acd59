import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** How wide an element is, in whole CSS pixels; 0 until that is known. */
export function useWidth(host: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      // A part of a pixel is no other width.
      setWidth(Math.floor(element.clientWidth));
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, [host]);
  return width;
}
