import { expect, test } from "vitest";

import { kinds } from "platform-contract/kinds";

import { TOPICS } from "./topics";

test.each(kinds.filter(({ screens }) => screens).map(({ plural }) => plural))("explains %s", (plural) =>
  expect(TOPICS[plural]?.length).toBeGreaterThanOrEqual(2),
);
