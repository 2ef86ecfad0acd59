import { useEffect, useRef, useState } from "preact/hooks";

interface CopyProps {
  readonly text: string;
  /** What the button says. */
  readonly children: string;
}

/** How long it is said that something was copied (ms). */
const SAID = 2000;

/** A button that copies a text. */
export function Copy({ text, children }: CopyProps) {
  const [state, setState] = useState<"" | "Copied" | "Not copied">("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  const say = (result: "Copied" | "Not copied") => {
    setState(result);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setState("");
    }, SAID);
  };
  return (
    <button
      type="button"
      class="copy"
      onClick={() => {
        void copied(text).then((isCopied) => {
          say(isCopied ? "Copied" : "Not copied");
        });
      }}
    >
      <span aria-live="polite">{state === "" ? children : state}</span>
    </button>
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers that trust no file, or have not been allowed to.
    return copiedBySelection(text);
  }
}

function copiedBySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "hidden";
  document.body.append(field);
  field.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else works there
    return document.execCommand("copy");
  } finally {
    field.remove();
  }
}
