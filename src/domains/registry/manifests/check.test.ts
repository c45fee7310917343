import { describe, expect, it } from "vitest";

import { parseReference, type PullReference } from "~/domains/registry/references/reference-text";
import type { Tag } from "platform-contract/registry/tags";

import { elsewhere, judge, successorOf } from "./check";
import { readManifest } from "./read";
import { patchOf, suggestion } from "./suggest";

const [OLD, NEW] = [`sha256:${"a".repeat(64)}`, `sha256:${"b".repeat(64)}`];
const repos = [{ uid: "r" }];

const ref = (text: string): PullReference => parseReference(text) as PullReference;
const tag = (name: string, digest = NEW, deprecated = false): Tag => ({
  uid: `r/${name}`,
  name,
  digest,
  deprecated,
});

it.each([
  ["acme/python:3.12", "registry.example", "Names no registry"],
  ["other.example/acme/python:3.12", "registry.example", "From another registry."],
  ["Registry.example:5000/acme/python", "https://registry.example:5000/", undefined],
  ["acme/python:3.12", undefined, undefined],
])("knows where %s is, at %s", (text, host, why) => {
  const said = elsewhere(ref(text.toLowerCase()), host);
  if (why === undefined) expect(said).toBeUndefined();
  else expect(said).toContain(why);
});

describe("the verdict", () => {
  const of = (text: string, answer: Partial<Parameters<typeof judge>[1]>) =>
    judge(ref(text), { repos, ...answer });

  it("is unknown for what isn't there, or isn't clear", () => {
    expect(of("acme/python:3", { repos: [] })).toMatchObject({
      state: "unknown",
      why: expect.stringMatching(/^No repo that you can see is /),
    });
    expect(of("acme/python:3", { repos: [{ uid: "a" }, { uid: "b" }] }).why).toBe(
      "Several repos have the path acme/python.",
    );
    expect(of("acme/python:3", {}).why).toBe("acme/python has no tag 3.");
    expect(of("acme/python", {}).why).toBe("acme/python has no tag latest.");
    expect(of(`acme/python@${OLD}`, {}).why).toBe("No tag of acme/python has this digest.");
  });

  it("is current for a tag that is there, with its own digest or none", () => {
    expect(of("acme/python:3.12", { tag: tag("3.12") })).toMatchObject({ state: "current", isThis: true });
    expect(of(`acme/python:3.12@${NEW}`, { tag: tag("3.12") }).why).toBe("3.12 has this digest.");
    const named = [tag("3.11", NEW, true), tag("3.12"), tag("latest")];
    expect(of(`acme/python@${NEW}`, { named })).toMatchObject({
      state: "current",
      why: "Tags of this digest: 3.11, 3.12 and 1 more.",
      tag: { name: "3.12" },
    });
  });

  it("is behind if the tag has moved on, with the digest it has now", () => {
    expect(of(`acme/python:3.12@${OLD}`, { tag: tag("3.12") })).toMatchObject({
      state: "behind",
      isThis: false,
      next: { digest: NEW },
    });
  });

  it("is deprecated with its tag, and names the successor", () => {
    const answer = { tag: tag("3.11", OLD, true), successor: tag("3.12") };
    expect(of("acme/python:3.11", answer)).toMatchObject({ state: "deprecated", next: { tag: "3.12" } });
    expect(of(`acme/python:3.11@${OLD}`, answer).next).toEqual({ tag: "3.12", digest: NEW });
    expect(of("acme/python:3.11", { tag: tag("3.11", OLD, true) })).toEqual({
      repo: "r",
      state: "deprecated",
      why: "3.11 is deprecated.",
      tag: tag("3.11", OLD, true),
      isThis: true,
    });
    expect(of(`acme/python@${OLD}`, { named: [tag("3.11", OLD, true)] }).state).toBe("deprecated");
  });
});

it.each([
  ["3.9", "3.10"],
  ["3.9-dev", "3.10-dev"],
  ["3.9.1", "3.9.2"],
  ["3.10", undefined],
  ["latest", undefined],
])("finds the successor of %s", (name, next) => {
  const all = ["3.8", "3.10", "3.10-dev", "3.9.2", "latest", "20260811"].map((each) => tag(each));
  expect(successorOf(name, [...all, tag("3.11", NEW, true)])?.name).toBe(next);
});

it("suggests a diff that changes only the tags and digests", () => {
  const text = `FROM acme/go:1.9@${OLD} AS build\nFROM acme/\${BASE}:3\nRUN true\nRUN true\nFROM acme/go:1.9\n`;
  const manifest = readManifest({ name: "Dockerfile", text });
  const next = { tag: "1.10", digest: NEW };
  const verdicts = new Map(
    manifest.uses.map((use) => [
      use,
      { state: "deprecated" as const, why: "", next: use.digest ? next : { tag: "1.10" } },
    ]),
  );
  const patch = patchOf([manifest], (use) => verdicts.get(use));
  expect(patch.split("\n").filter((line) => /^[-+]/.test(line))).toEqual([
    "--- a/Dockerfile",
    "+++ b/Dockerfile",
    `-FROM acme/go:1.9@${OLD} AS build`,
    `+FROM acme/go:1.10@${NEW} AS build`,
    "-FROM acme/go:1.9",
    "+FROM acme/go:1.10",
  ]);
  const [first, variable] = manifest.uses;
  expect(first && suggestion(first, { state: "behind", why: "", next })).toBe(`acme/go:1.10@${NEW}`);
  expect(variable && suggestion(variable, { state: "behind", why: "", next })).toBeUndefined();
  expect(patchOf([manifest], () => undefined)).toBe("");
});
