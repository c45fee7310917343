import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

import { notices } from "./notices.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (name) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));

it("has every package that a program imports, with a license text, and none of those for development", () => {
  const text = notices(root);
  for (const manifest of ["package.json", "server/package.json", "packages/command/package.json"])
    for (const [name, version] of Object.entries(read(manifest).dependencies))
      // What the workspaces are called is ours.
      if (!name.startsWith("platform-")) expect(text).toContain(`\n${name} ${version} (`);
  for (const name of ["vitest", "oxlint", "vite", "@playwright/test"])
    expect(text).not.toMatch(new RegExp(`^${name} \\d`, "m"));
  const parts = text.split(`\n${"=".repeat(80)}\n\n`).slice(1);
  for (const part of parts) expect(part).toMatch(/permission|permitted|license|free of charge/i);
  // Told apart by their holders.
  expect(text).toMatch(/^Copyright \(c\) Meta Platforms/m);
  expect(notices(root)).toBe(text);
});
