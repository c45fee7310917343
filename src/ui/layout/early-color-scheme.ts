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
