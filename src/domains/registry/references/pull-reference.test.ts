import { expect, it } from "vitest";

import { CLIENTS, referenceText, repoPath } from "./pull-reference";

it.each([
  ["acme", "python", "acme/python"],
  ["Meridian Freight", "python", "meridian-freight/python"],
  ["example.com", "nginx-fips", "example.com/nginx-fips"],
  ["  Crème & Brûlée GmbH. ", "a_b", "creme-brulee-gmbh/a_b"],
  ["a..b--c", "x", "a.b-c/x"],
  ["Łódź 3", "x", "odz-3/x"],
  ["組織", "python", undefined],
  ["", "python", undefined],
  ["acme", "Not a repo", undefined],
])("of %s and %s the path is %s", (organization, repo, path) =>
  expect(repoPath(organization, repo)).toBe(path),
);

it("takes what the organization is called in the registry, where that is known", () => {
  expect(repoPath("Acme, Inc.", "python", "acme-inc-0a1b2c3d")).toBe("acme-inc-0a1b2c3d/python");
  expect(repoPath("組織", "python", "a--b")).toBe("a--b/python");
  expect(repoPath("acme", "Not a repo", "acme")).toBeUndefined();
});

const digest = `sha256:${"0".repeat(64)}`;

it("names an image by tag and by digest, with and without the registry's host", () => {
  const path = "acme/python";
  const by = (host: string | undefined, name: { tag: string } | { digest: string }) =>
    referenceText({ host, path, name });
  expect(by("registry.example:5000", { tag: "3.12-r2" })).toBe("registry.example:5000/acme/python:3.12-r2");
  expect(by("https://registry.example/", { tag: "3" })).toBe("registry.example/acme/python:3");
  expect(by("registry.example", { digest })).toBe(`registry.example/acme/python@${digest}`);
  expect(by(undefined, { tag: "3" })).toBe("acme/python:3");
});

it("never makes a command that lacks what it names", () => {
  const reference = referenceText({ host: "registry.example", path: "acme/python", name: { tag: "3" } });
  for (const { command } of CLIENTS)
    expect(command(reference)).toMatch(/ registry\.example\/acme\/python:3$/);
});
