import { expect, test } from "vitest";

import { kinds } from "platform-contract/kinds";

import { TOPICS } from "./topics";

const lists = kinds.filter(({ screens }) => screens).map(({ plural }) => plural);

test.each([...lists, "people", "libraries", "audit log"])("explains %s", (about) =>
  expect(TOPICS[about]?.length).toBeGreaterThanOrEqual(2),
);
