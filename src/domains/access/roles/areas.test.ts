import { expect, it } from "vitest";

import { capabilities } from "platform-contract/iam/capabilities";

import { areasOf, capabilityOf, inOrder, OFFERED } from "./areas";

it("puts every capability into one area, and offers what a role can be given", () => {
  const areas = areasOf(capabilities.map(({ wire }) => wire));
  expect(areas.flatMap((area) => area.capabilities)).toHaveLength(capabilities.length);
  expect(areas.map(({ title, capabilities: held }) => `${title} ${held.length}`)).toMatchInlineSnapshot(`
    [
      "Groups and invites 13",
      "Roles and role bindings 8",
      "Identities and identity providers 9",
      "Repos, tags, and images 16",
      "Registry settings 12",
      "Packages and builds 8",
      "Vulnerabilities and advisories 12",
      "Policies 12",
      "Libraries 37",
      "Event subscriptions 4",
      "Skills 8",
      "Guardener 7",
      "Other 8",
      "Deprecated 21",
      "Internal to the platform 41",
    ]
  `);
  expect(OFFERED).toContain("CAP_REPO_CREATE");
  for (const wire of ["CAP_INTERNAL", "CAP_REPO_INTERNAL_ADMIN", "CAP_IAM_POLICY_LIST"])
    expect(OFFERED).not.toContain(wire);
});

it("keeps and shows what this console does not know, last", () => {
  const wires = ["CAP_OF_TOMORROW", "CAP_TAG_LIST", "CAP_IAM_GROUPS_LIST", "CAP_TAG_LIST"];
  expect(inOrder(wires)).toEqual(["CAP_IAM_GROUPS_LIST", "CAP_TAG_LIST", "CAP_OF_TOMORROW"]);
  expect(areasOf(wires).at(-1)).toEqual({
    title: "Unknown to this console",
    capabilities: [{ wire: "CAP_OF_TOMORROW", name: "CAP_OF_TOMORROW", meaning: "" }],
  });
  expect(capabilityOf("CAP_TAG_LIST")).toEqual({
    wire: "CAP_TAG_LIST",
    name: "tag.list",
    meaning: "View tags",
  });
});
