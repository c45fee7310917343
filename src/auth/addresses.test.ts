import { describe, expect, it } from "vitest";

import { clientHash, isCallback, safeReturnPath } from "./addresses";

const base = "https://console.example/x/";

describe("a return path", () => {
  it.each(["/x/", "/x/identities?order=name+desc&at=120#top", "/x/groups/ab_cd"])("keeps %s", (path) => {
    expect(safeReturnPath(path, base)).toBe(path);
  });

  it.each([
    "https://elsewhere.example/x/",
    "//elsewhere.example/x/",
    "/\\elsewhere.example/x/",
    "\\\\elsewhere.example",
    "/x/..//elsewhere.example",
    "/x/../other/",
    "/other",
    "/x",
    "x/groups",
    "javascript:alert(1)",
    " /x/",
    "",
    "/x/?code=1&state=2",
    undefined,
    42,
  ])("turns %j into the base", (path) => {
    expect(safeReturnPath(path, base)).toBe("/x/");
  });

  it("strips what a URL parser strips before it is followed", () => {
    expect(safeReturnPath("/\t/elsewhere.example", "https://console.example/")).toBe("/");
    expect(safeReturnPath("/x/..//elsewhere.example", "https://console.example/")).toBe("/");
    expect(safeReturnPath("/x/\n", base)).toBe("/x/");
  });
});

describe("a callback", () => {
  it("is a state with a code or an error, at the base address", () => {
    expect(isCallback(`${base}?code=1&state=2`, base)).toBe(true);
    expect(isCallback(`${base}?error=access_denied&state=2&iss=i`, base)).toBe(true);
  });

  it("is not any other address", () => {
    expect(isCallback(`${base}?code=1`, base)).toBe(false);
    expect(isCallback(`${base}?state=2`, base)).toBe(false);
    expect(isCallback(`${base}identities?code=1&state=2`, base)).toBe(false);
    expect(isCallback("https://console.example/?code=1&state=2", base)).toBe(false);
  });
});

it("keeps consoles of one origin apart", async () => {
  const one = await clientHash("https://id.example", "console", base);
  expect(one).toMatch(/^[0-9a-f]{16}$/);
  expect(await clientHash("https://id.example", "console", "https://console.example/")).not.toBe(one);
  expect(await clientHash("https://id.example", "other", base)).not.toBe(one);
});
