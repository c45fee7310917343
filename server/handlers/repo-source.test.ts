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
