import { expect, test } from "vitest";

import { linkToView } from "./view-link";

test("a link to a view has its scope and no open form, under any base path", () => {
  const at = "https://host.example/a/b/identities";
  expect(linkToView(`${at}?order=name+desc&name=x%26y&at=40&drawer=edit&item=r_1`, undefined)).toBe(
    `${at}?order=name+desc&name=x%26y&at=40`,
  );
  expect(linkToView(`${at}?columns=a`, undefined, "name.kind")).toBe(`${at}?columns=name.kind`);
  expect(linkToView(at, "r/c")).toBe(`${at}?group=r_c`);
  expect(linkToView(`${at}?group=other&reach=here#x`, "r/c")).toBe(`${at}?group=r_c&reach=here`);
});
