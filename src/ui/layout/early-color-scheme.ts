export const COLOR_SCHEME_KEY = "pc.color-scheme";

/**
 * Applies the stored choice before the first paint. No imports, so that the entry can call it first; without it, users
 * whose choice differs from the system's see a flash of the other scheme. "auto" or no choice needs no attribute.
 */
export function applyColorScheme(): void {
  try {
    const chosen = localStorage.getItem(COLOR_SCHEME_KEY);
    if (chosen === "light" || chosen === "dark")
      document.documentElement.dataset["mantineColorScheme"] = chosen;
  } catch {
    // Storage can be forbidden: then the system decides.
  }
}

/**
 * Sets the scheme in force on the page, as Mantine does after its first render: by then, the change would have the styles of
 * everything computed a second time.
 */
export function settleColorScheme(): void {
  document.documentElement.dataset["mantineColorScheme"] ??= matchMedia("(prefers-color-scheme: dark)")
    .matches
    ? "dark"
    : "light";
}
