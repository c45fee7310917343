import { expect, it } from "vitest";

import { ConsoleReporter } from "./account";

const outcome = (some: object) => ({
  advisories: 0,
  metadata: 0,
  packages: 0,
  exploitation: 0,
  versions: 0,
  skipped: [],
  skippedCount: 0,
  ...some,
});

it("says of one thing that it is one", () => {
  const said: string[] = [];
  const account = new ConsoleReporter({ say: (line: string) => said.push(line), step: () => undefined }, 2);
  account.written("one.json", outcome({ advisories: 1, metadata: 1, packages: 2 }));
  account.written("two.json", outcome({ versions: 1 }));
  account.refused("three.json", new Error("It broke"));
  account.end();
  expect(said[0]).toBe("one.json: 1 advisory, 1 metadata entry, 2 packages");
  expect(said[1]).toBe("two.json: 1 library version");
  expect(said.at(-1)).toBe("2 files were written, 1 was rejected.");
});
