import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Entry {
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as {
  packages: Readonly<Record<string, Entry>>;
};

/** The folders in which a package at `place` looks for others, nearest first. */
function* above(place: string): Generator<string> {
  for (let at = place; ; at = at.replace(/(?:^|\/)(?:node_modules\/)?(?:@[^/]+\/)?[^/]+$/, "")) {
    yield at === "" ? "" : `${at}/`;
    if (at === "") return;
  }
}

test("the lock file has what each package needs, as npm ci wants it, and no address of a registry", () => {
  // npm install leaves out an optional package that the registry does not have; npm ci then refuses everything.
  const missing = Object.entries(packages).flatMap(([place, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => ![...above(place)].some((folder) => `${folder}node_modules/${name}` in packages))
      .map((name) => `${name}, for ${place}`),
  );
  expect(missing).toEqual([]);
  expect(
    Object.values(packages).flatMap(({ resolved, link }) => (resolved && !link ? [resolved] : [])),
  ).toEqual([]);
});
