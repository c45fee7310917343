import { expect, it } from "vitest";

import { EVERYWHERE } from "~/frame/scope/scope";

import { capabilityOf } from "./areas";
import { differenceOf, isSought, tickedOf, toggled, typedName } from "./choice";
import { roleScreens, readCompare } from "./data";

const mayAdd = (wire: string) => wire !== "C";
const set = (text: string) => new Set(text);
const area = [..."ABC"];

it("ticks an area when all of it is chosen that can be", () => {
  expect(tickedOf(area, set(""), mayAdd)).toBe("none");
  expect(tickedOf(area, set("A"), mayAdd)).toBe("some");
  expect(tickedOf(area, set("AB"), mayAdd)).toBe("all");
  expect(tickedOf(area, set("ABC"), mayAdd)).toBe("all");
  expect(tickedOf(["C"], set(""), mayAdd)).toBe("none");
});

it("adds and removes the permitted capabilities, and keeps the rest", () => {
  expect(toggled(area, set("XA"), mayAdd)).toEqual(set("XAB"));
  expect(toggled(area, set("XABC"), mayAdd)).toEqual(set("X"));
  expect(toggled(["C"], set("X"), mayAdd)).toEqual(set("X"));
  expect(toggled(["C"], set("XC"), mayAdd)).toEqual(set("X"));
});

it("says what was added and removed", () => {
  expect(differenceOf([..."AB"], [..."BC"])).toEqual({ added: ["C"], removed: ["A"] });
});

it("finds a capability by words and names, and knows a name that was typed as a whole", () => {
  const found = (text: string) => isSought(text, capabilityOf("CAP_REPO_CREATE"));
  expect(["", "create repo", "REPO.create", "cap_repo"].map(found)).toEqual([true, true, true, true]);
  expect(found("delete")).toBe(false);
  expect(isSought("push", capabilityOf("CAP_TAG_CREATE"))).toBe(true);
  expect(typedName(" CAP_OF_TOMORROW ")).toBe("CAP_OF_TOMORROW");
  expect(typedName("cap_x")).toBeUndefined();
});

const uid = (letter: string) => letter.repeat(40);

it("reads a comparison from an address: each role once, eight at most", () => {
  const [a, b] = [uid("a"), `${uid("b")}_${"c".repeat(16)}`];
  expect(readCompare({ roles: `${a},${b},${a},x`, differences: "only" })).toEqual({
    roles: `${a},${b}`,
    differences: "only",
  });
  expect(readCompare({ roles: "x", differences: "all" })).toEqual({});
  const many = [..."0123456789"].map(uid).join(",");
  expect(readCompare({ roles: many }).roles?.split(",")).toHaveLength(8);
});

it.each(["groups.list", "GROUPS_LIST", "groups list", "cap_iam_groups", "group"])(
  "finds roles with a capability by %j",
  (holds) => {
    const matches = roleScreens.resolve(EVERYWHERE, roleScreens.readList({ holds })).matches;
    const role = (wire: string) => ({ uid: uid("a"), name: "r", capabilities: [wire] });
    expect(matches?.(role("CAP_IAM_GROUPS_LIST"))).toBe(true);
    expect(matches?.(role("CAP_REPO_LIST"))).toBe(false);
  },
);
