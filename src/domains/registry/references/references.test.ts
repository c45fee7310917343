import { expect, it } from "vitest";

import { namespaceIn, referencesOf } from "./references";

const digest = `sha256:${"0".repeat(64)}`;
const tag = { uid: "x", name: "3.14", digest };
const names = { organization: "Meridian Freight", repo: "python" };

it("makes both references of the names, with the host where it is known", () => {
  expect(referencesOf(tag, names, "registry.example")).toEqual({
    byTag: "registry.example/meridian-freight/python:3.14",
    byDigest: `registry.example/meridian-freight/python@${digest}`,
  });
  expect(referencesOf({ uid: "x", name: "3.14" }, names, undefined)).toEqual({
    byTag: "meridian-freight/python:3.14",
    byDigest: undefined,
  });
});

it("takes the namespace of a folder for somebody who can't see the organization", () => {
  const namespace = namespaceIn([{}, { namespace: "meridian" }]);
  expect(referencesOf(tag, { organization: undefined, namespace, repo: "python" }, undefined)).toMatchObject({
    byTag: "meridian/python:3.14",
  });
});

it("has no reference without a name", () => {
  expect(referencesOf({ ...tag, name: "" }, names, undefined)).toEqual({
    byTag: undefined,
    byDigest: `meridian-freight/python@${digest}`,
  });
});

it("says why there is none", () => {
  expect(referencesOf(tag, { ...names, organization: undefined }, "h.example")).toMatch(
    /the organization's name.*ask someone/,
  );
  expect(referencesOf(tag, { ...names, repo: undefined }, "h.example")).toMatch(/repo's name/);
  expect(referencesOf(tag, { ...names, organization: "組織" }, "h.example")).toMatch(/no characters/);
});
