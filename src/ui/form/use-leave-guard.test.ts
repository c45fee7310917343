import { expect, it } from "vitest";

import { leavesForm } from "./use-leave-guard";

const at = (pathname: string, search: object = {}) => ({ pathname, search });

it("counts another page or a closed drawer as leaving, not a scroll position written by the list behind it", () => {
  const form = at("/identities", { drawer: "create", at: "3" });
  expect(leavesForm(form, at("/groups", { drawer: "create" }))).toBe(true);
  expect(leavesForm(form, at("/identities", { at: "3" }))).toBe(true);
  expect(leavesForm(form, at("/identities", { drawer: "create", at: "40" }))).toBe(false);
});
