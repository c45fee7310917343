import { expect, test } from "vitest";

import { dayIn, endProblem, latestDay, nameProblem, textOf, USES } from "./texts";

const NOW = Date.parse("2026-11-29T12:00:00Z");
const facts = { host: "registry.example.com", repository: "acme/base", name: "Pull base", token: "e.y.j" };

test("a secret of Kubernetes has the token as clients read it, and a name that Kubernetes takes", () => {
  const text = textOf("kubernetes", { ...facts, name: "pull base_2026.11" });
  expect(text).toContain("\n  name: pull-base-2026-11\n");
  const [, json = ""] = /dockerconfigjson: '(.*)'/.exec(text) ?? [];
  expect(JSON.parse(json)).toEqual({
    auths: {
      "registry.example.com": { username: "pull-token", password: "e.y.j", auth: btoa("pull-token:e.y.j") },
    },
  });
});

test("no command has the token where other users of the machine see it, and no workflow has it at all", () => {
  const [login = ""] = textOf("docker", facts).split("\n");
  expect(login).toContain("docker login registry.example.com");
  expect(login).not.toContain(facts.token);
  expect(textOf("github", facts)).not.toContain(facts.token);
  for (const { value } of USES) expect(textOf(value, facts)).toContain("pull-token");
});

test("a token ends on a day to come, within a year", () => {
  expect(dayIn(90, NOW)).toBe("2027-02-27");
  expect(endProblem("2026-11-29", NOW, latestDay(NOW))).toBe("Choose a later day");
  expect(endProblem("2026-11-30", NOW, latestDay(NOW))).toBeUndefined();
  expect(endProblem("2027-11-29", NOW, latestDay(NOW))).toBe("Choose 2027-11-28 or an earlier day");
  expect(endProblem("", NOW, latestDay(NOW))).toBe("Enter a date");
});

test("names are those of identities", () => {
  expect(nameProblem("pull base 2026-11-29")).toBeUndefined();
  expect(nameProblem("Pull")).toMatch(/lowercase/);
  expect(nameProblem("")).toMatch(/lowercase/);
});
