import { useLayoutEffect, useState } from "preact/hooks";

import { Switch } from "./controls.js";

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
    <Switch
      legend="Theme"
      name="theme"
      choices={THEMES.map((each) => [each, each] as const)}
      value={theme}
      choose={setTheme}
    />
  );
}
