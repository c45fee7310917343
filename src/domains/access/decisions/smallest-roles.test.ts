import { expect, it } from "vitest";

import type { Remedy } from "platform-contract/iam/access-decisions";

import { withoutManaging } from "./smallest-roles";

const pull: Remedy = { role: "1".repeat(40), roleName: "registry.pull", adds: ["CAP_TAG_LIST"] };
const owner: Remedy = { role: "2".repeat(40), roleName: "owner", adds: ["CAP_IAM_ROLE_BINDINGS_CREATE"] };

it("offers a role that lets somebody manage access only where no smaller one would do", () => {
  expect(withoutManaging([pull, owner])).toEqual([pull]);
  expect(withoutManaging([owner])).toEqual([owner]);
});
