import { expect, test } from "vitest";

import { namesOf } from "./repo-source";

test("a source is named as in an image reference, with or without host, tag and digest", () => {
  const found = { organization: "acme", repo: "nginx" };
  for (const text of [
    "acme/nginx",
    "acme/nginx:1.27",
    "registry.example/acme/nginx",
    "registry.example:5000/acme/nginx:latest",
    "localhost/acme/nginx",
    `registry.example/acme/nginx@sha256:${"0".repeat(64)}`,
  ])
    expect(namesOf(text), text).toEqual(found);
  for (const text of ["nginx", "", "/nginx", "acme/", "a/b/c", "registry.example/a/b/c"])
    expect(namesOf(text), text).toBeUndefined();
});

test("what is no reference is seen through at once, however long it is", () => {
  const { user: begin } = process.cpuUsage();
  expect(namesOf(`${"@".repeat(500_000)}\n`)).toBeUndefined();
  expect(namesOf(`a/${":".repeat(500_000)}\n`)).toBeUndefined();
  // Searching for each @ to the end of the line used to take minutes.
  expect((process.cpuUsage().user - begin) / 1_000).toBeLessThan(2_000);
});
