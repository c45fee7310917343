import { expect, it } from "vitest";

import { BUILT_IN_ROLES } from "platform-contract/iam/built-in-roles";
import { builtInSets, capabilities } from "platform-contract/iam/capabilities";

import { abilities, beyondRegistry, mostOf, purposesOf } from "./abilities";
import { roleSummary } from "./role-summary";

const wiresOf = (...dotted: string[]) =>
  dotted.map((name) => {
    const found = capabilities.find((facts) => facts.dotted === name);
    if (!found) throw new Error(`${name} is no capability`);
    return found.wire;
  });

it.each<[string, string[]]>([
  ["2 capabilities: can pull images, changes nothing", ["manifest.list", "repo.blobs.get"]],
  [
    "4 capabilities: can pull and push images",
    ["manifest.list", "repo.blobs.get", "manifest.create", "tag.create"],
  ],
  ["1 capability", ["tag.create"]],
  ["1 capability: changes nothing", ["tag.list"]],
  ["2 capabilities: can manage access", ["role_bindings.create", "roles.list"]],
])("says %j", (words, dotted) => {
  expect(abilities(wiresOf(...dotted))).toBe(words);
});

it.each(Object.entries(builtInSets))(
  "says of %s as of any role whether it changes something",
  (name, wires) => {
    const changesNothing = /can't create, edit or delete anything|can't .*change anything/.test(
      BUILT_IN_ROLES[name]?.says ?? "",
    );
    expect(purposesOf(wires).includes("to change things")).toBe(!changesNothing);
    expect(mostOf(wires) === "reads").toBe(changesNothing);
  },
);

it("says what further capabilities are for", () => {
  expect(purposesOf(wiresOf("tag.list", "repo.list"))).toBe("2 capabilities, only to read");
  expect(purposesOf(wiresOf("tag.list", "tag.create", "guardener.dfc.convert"))).toBe(
    "3 capabilities: 1 to read, 1 to run jobs of other services, 1 to change things",
  );
});

it("counts unknown capabilities without describing them", () => {
  expect(abilities(["CAP_OF_TOMORROW"])).toBe("1 capability");
});

it("says what a role can do once: in the words of a built-in role, or by the capabilities of a custom one", () => {
  const capabilities = wiresOf("manifest.list", "repo.blobs.get");
  const role = { uid: "a".repeat(40), name: "registry.pull", capabilities };
  const described = { ...role, description: "registry.pull Role (built-in)" };
  expect(roleSummary(described)).toBe("Can pull images. 2 capabilities");
  const custom = { ...role, uid: `${role.uid}/${"b".repeat(16)}`, description: "For the build farm" };
  expect(roleSummary(custom)).toBe("For the build farm. 2 capabilities: can pull images, changes nothing");
  expect(roleSummary(role)).toBe("2 capabilities: can pull images, changes nothing");
});

it("tells what goes beyond pulling and pushing images", () => {
  const images = [
    "manifest.list",
    "repo.blobs.get",
    "manifest.create",
    "tag.create",
    "tag.delete",
    "repo.list",
  ];
  expect(beyondRegistry(wiresOf(...images))).toEqual([]);
  expect(beyondRegistry(wiresOf(...images, "role_bindings.create", "repo.delete"))).toEqual(
    wiresOf("role_bindings.create", "repo.delete"),
  );
});
