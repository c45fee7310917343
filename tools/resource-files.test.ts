import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";

import { resources } from "../contract/index";
import { KINDS, everyKind, separated } from "../contract/kinds";
import { hasNames } from "../src/shell/command/unnamed";

const root = join(import.meta.dirname, "..");
/** The names of all journeys, which lie in a folder for each domain. */
const journeys = readdirSync(join(root, "e2e"), { recursive: true, encoding: "utf8" }).map((file) =>
  basename(file),
);

it("lists in the registry what the contract has, each kind after its parent", () => {
  expect(Object.keys(KINDS)).toEqual(everyKind.map(({ collection }) => collection));
  expect(new Set(everyKind.map(({ collection }) => collection))).toEqual(
    new Set(resources.map(({ collection }) => collection)),
  );
  for (const [index, { parent }] of everyKind.entries())
    expect(everyKind.slice(0, index + 1).map(({ collection }) => collection)).toContain(parent);
});

it("asks a list for a name where the contract has that filter", () => {
  for (const { collection, filters } of resources)
    expect(hasNames({ collection }), collection).toBe("name" in filters);
});

const domains = readdirSync(join(root, "server/domains"));

/** Every layer uses the same word for a resource (docs/architecture.md). */
describe.each(everyKind.map((kind) => [kind.collection, kind] as const))("%s", (collection, { screens }) => {
  const word = separated(collection, "-");

  it("has a file of rules in a domain of the service, and its table beside it", () => {
    const homes = domains.filter((domain) => existsSync(join(root, `server/domains/${domain}/${word}.ts`)));
    expect(homes).toHaveLength(1);
    expect(existsSync(join(root, `server/domains/${homes[0]}/${word}.table.ts`))).toBe(true);
  });

  it("has screens and journeys, or neither", () => {
    expect(existsSync(join(root, `src/routes/${word}/index.tsx`))).toBe(screens);
    expect(journeys.includes(`${word}.spec.ts`)).toBe(screens);
  });
});
