import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { resources } from "../src/contract/index";

const root = join(import.meta.dirname, "..");

/** A resource is one word everywhere (docs/architecture.md). */
describe.each(resources.map(({ collection }) => collection))("%s", (collection) => {
  const word = collection.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const screens = [`src/routes/${word}/index.tsx`, `e2e/${word}.spec.ts`];

  it.each([`server/store/${word}.ts`, `server/handlers/${word}.ts`, ...screens])(
    "has its room %s",
    (path) => {
      expect(existsSync(join(root, path)), path).toBe(true);
    },
  );
});
