import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/**
 * The scripts and stylesheets that every screen of the console needs, as paths below the base path. From the manifest of the
 * console's build: its chunk "app" and what that imports. Empty if the console is not built.
 */
export function readAppFiles(consoleDirectory: string): readonly string[] {
  const path = join(consoleDirectory, ".vite/manifest.json");
  if (!existsSync(path)) return [];
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Record<string, Chunk | undefined>;
  const found = new Set<string>();
  const add = (chunk: Chunk | undefined): void => {
    if (chunk === undefined || found.has(chunk.file)) return;
    found.add(chunk.file);
    for (const sheet of chunk.css ?? []) found.add(sheet);
    for (const key of chunk.imports ?? []) add(manifest[key]);
  };
  add(Object.values(manifest).find((chunk) => chunk?.name === "app"));
  return [...found];
}
