export const COLOR_SCHEME_KEY = "pc.color-scheme";

/**
 * Applies the remembered choice before anything is drawn. No import, so that the entry can call it first; without it
 * somebody who chose against the system sees a flash of the other scheme. "auto" and nothing need no attribute.
 */
export function applyColorScheme(): void {
  try {
    const chosen = localStorage.getItem(COLOR_SCHEME_KEY);
    if (chosen === "light" || chosen === "dark")
      document.documentElement.dataset["mantineColorScheme"] = chosen;
  } catch {
    // Storage may be forbidden: then the system decides.
  }
}
