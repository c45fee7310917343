import { expect, it } from "vitest";

import { goneTests, LONG_TESTS, areasOf, testsOf } from "./changed.mjs";

it("knows the areas of every long test, and no test that is gone", () => {
  const empty = LONG_TESTS.filter((test) => areasOf(test).length === 0);
  expect(empty).toEqual([]);
  expect(goneTests()).toEqual([]);
});

it.each(["src/screens/tags/form.tsx", "src/routes/tags/index.tsx", "server/handlers/tags.ts"])(
  "%s: tests of tags, and those that open every screen",
  (file) => {
    const tests = testsOf([file]);
    expect(tests).toContain("e2e/tags.spec.ts");
    expect(tests).toContain("e2e/long/tag-answers.spec.ts");
    expect(tests).not.toContain("e2e/terms.spec.ts");
    expect(tests).not.toContain("server/attacks/sign-in.attack.ts");
    expect(tests.includes("e2e/long/engines.spec.ts")).toBe(true);
    expect(tests.includes("postgres")).toBe(file.startsWith("server/"));
  },
);

it.each([
  ["src/features/undo/panel.tsx", "e2e/toasts.spec.ts"],
  ["src/contract/iam/roles.ts", "grpc"],
  ["server/delivery/send.ts", "server/attacks/dead-sinks.attack.ts"],
  ["server/oidc/pages.ts", "e2e/long/sessions.spec.ts"],
  ["e2e/long/restart.spec.ts", "e2e/long/restart.spec.ts"],
])("%s: among others %s, and not all", (file, test) => {
  const tests = testsOf([file]);
  expect(tests).toContain(test);
  expect(tests.length).toBeLessThan(LONG_TESTS.length / 2);
});

it.each([
  "src/ui/table/row.tsx",
  "src/resource/list/list-screen.tsx",
  "src/contract/aip.ts",
  "server/store/lists/lists.ts",
  "server/handlers/standard/masks.ts",
  "server/start.ts",
  "e2e/fixtures.ts",
  "package.json",
])("%s: all", (file) => {
  expect(testsOf(["src/screens/tags/form.tsx", file])).toEqual(LONG_TESTS);
});

it("chooses none for words and for what is tested without a browser", () => {
  expect(testsOf(["docs/design.md", "src/ui/clock.test.ts", "src/gallery/index.html"])).toEqual([]);
});
