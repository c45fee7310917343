import { expect, test } from "vitest";

import { fieldViolations } from "platform-contract/status";

import { invalidArgument } from "./status";

test("a refusal names a hundred violations and counts the rest", () => {
  const violations = Array.from({ length: 90_000 }, (_, index) => ({
    field: `k${index}`,
    description: "must be text",
  }));
  const status = invalidArgument(violations).toStatus("iam.platform.example");
  expect(fieldViolations(status)).toEqual(violations.slice(0, 100));
  expect(status.message).toMatch(/k99: must be text; and 89900 more$/);
  expect(invalidArgument(violations.slice(0, 100)).message).not.toContain("more");
});
