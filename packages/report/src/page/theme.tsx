import { useLayoutEffect, useState } from "preact/hooks";

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/** Follows the system, unless the reader chooses. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>("auto");
  // Before the next frame: the switch and the page change together.
  useLayoutEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  return (
    <fieldset class="switch">
      <legend class="hidden">Theme</legend>
      {THEMES.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="theme"
            value={each}
            checked={theme === each}
            onChange={() => {
              setTheme(each);
            }}
          />
          <span>{each}</span>
        </label>
      ))}
    </fieldset>
  );
}
