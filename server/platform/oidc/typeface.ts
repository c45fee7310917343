import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The typeface's files in the console's build, as paths below the base path: `assets/geist-abc.woff2`. */
export interface Typeface {
  readonly text: string;
  readonly textExtended: string;
  readonly code: string;
}

const files = (name: string, subset: string) =>
  `node_modules/@fontsource-variable/${name}/files/${name}-${subset}-wght-normal.woff2`;

/**
 * Finds the typeface in the manifest of the console's build, so that both share one download. Undefined if the console is
 * not built, or was built without these files: pages then use the system's fonts.
 */
export function readTypeface(consoleDirectory: string): Typeface | undefined {
  const path = join(consoleDirectory, ".vite/manifest.json");
  if (!existsSync(path)) return undefined;
  const manifest: Record<string, { file: string } | undefined> = JSON.parse(readFileSync(path, "utf8"));
  const text = manifest[files("geist", "latin")]?.file;
  const textExtended = manifest[files("geist", "latin-ext")]?.file;
  const code = manifest[files("geist-mono", "latin")]?.file;
  return text && textExtended && code ? { text, textExtended, code } : undefined;
}
