import { expect, it } from "vitest";

import { shownAt } from "./found";

const uid = `${"a".repeat(40)}/${"b".repeat(16)}`;

it("shows a kind without screens on the page of what it lies in", () => {
  expect(shownAt({ collection: "repos", uid })).toEqual({ collection: "repos", uid });
  expect(shownAt({ collection: "externalGroupRoleMappings", uid: `${uid}/${"c".repeat(16)}` })).toEqual({
    collection: "identityProviders",
    uid,
  });
});
