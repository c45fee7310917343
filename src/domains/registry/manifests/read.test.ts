import { describe, expect, it } from "vitest";

import { readManifest, type Use } from "./read";

const DIGEST = `sha256:${"a".repeat(64)}`;

/** What a use says, with the text that its spans cut out. */
const said = (text: string, { line, text: image, unreadable, tag, digest }: Use) => ({
  line,
  image,
  ...(unreadable && { unreadable }),
  ...(tag && { tag: text.slice(...tag) }),
  ...(digest && { digest: text.slice(...digest) }),
});

const read = (text: string, name = "pasted") =>
  readManifest({ name, text }).uses.map((use) => said(text, use));

describe("a Dockerfile", () => {
  it("names the images of its stages, not the stages", () => {
    const text = [
      "# syntax=docker/dockerfile:1",
      "ARG VERSION=3.12",
      "FROM --platform=$BUILDPLATFORM registry.example/acme/go:1.27-dev AS build",
      "COPY --from=registry.example:5000/acme/certs:1 /etc /etc",
      "COPY --from=build /app /app",
      "COPY --from=0 /app /app",
      "RUN --mount=type=bind,from=acme/tools:2,target=/t make",
      "FROM \\",
      `  registry.example/acme/python:\${VERSION}@${DIGEST} as build2`,
      "FROM scratch",
      "FROM acme/base:${MISSING}",
    ].join("\n");
    expect(read(text)).toEqual([
      { line: 3, image: "registry.example/acme/go:1.27-dev", tag: "1.27-dev" },
      { line: 4, image: "registry.example:5000/acme/certs:1", tag: "1" },
      { line: 7, image: "acme/tools:2", tag: "2" },
      // Its tag comes from a variable, so nothing of it can be replaced.
      { line: 9, image: `registry.example/acme/python:\${VERSION}@${DIGEST}` },
      { line: 11, image: "acme/base:${MISSING}", unreadable: "variable" },
    ]);
    const [, , , python] = readManifest({ name: "pasted", text }).uses;
    expect(python?.reference).toMatchObject({ path: ["acme", "python"], tag: "3.12", digest: DIGEST });
  });

  it("is known by its name too", () => {
    expect(read("LABEL a=b\nFROM acme/x:1", "deploy/Dockerfile.prod")).toEqual([
      { line: 2, image: "acme/x:1", tag: "1" },
    ]);
  });
});

describe("YAML", () => {
  it("names the images of containers in every document, with and without quotes", () => {
    const text = `apiVersion: v1
kind: Pod
spec:
  initContainers:
    - image: "acme/init:1"
  containers:
    - name: app
      image: registry.example/acme/app:2@${DIGEST} # pinned
---
image: python
---
image: "{{ .Values.image }}"
---
image: \${REGISTRY:-registry.example}/acme/x:1
`;
    expect(read(text)).toEqual([
      { line: 5, image: "acme/init:1", tag: "1" },
      { line: 8, image: `registry.example/acme/app:2@${DIGEST}`, tag: "2", digest: DIGEST },
      { line: 10, image: "python" },
      { line: 12, image: "{{ .Values.image }}", unreadable: "template" },
      { line: 14, image: "${REGISTRY:-registry.example}/acme/x:1" },
    ]);
  });

  it("puts together what a chart's values and a kustomization keep apart", () => {
    const text = `image:
  registry: registry.example
  repository: acme/app
  tag: 3.10
sidecar:
  image: { repository: acme/side, tag: '', digest: "${DIGEST}" }
images:
  - name: acme/old
    newName: acme/new
    newTag: "1.0"
dependencies:
  - name: redis
    version: 1.0.0
    repository: https://charts.example
`;
    expect(read(text)).toEqual([
      { line: 2, image: "registry.example/acme/app:3.10", tag: "3.10" },
      { line: 6, image: `acme/side@${DIGEST}`, digest: DIGEST },
      { line: 8, image: "acme/new:1.0", tag: "1.0" },
    ]);
  });

  it("says what it couldn't read, and reads the rest", () => {
    const { uses, problems } = readManifest({ name: "a.yaml", text: "image: acme/x:1\nother: [\n" });
    expect(uses.map(({ text }) => text)).toEqual(["acme/x:1"]);
    expect(problems).toEqual([expect.stringMatching(/at line/)]);
  });
});

it("reads a list of images, one a line", () => {
  expect(read(`acme/a:1\n\n# none\nacme/b@${DIGEST}  # pinned\nnot an image!\n`)).toEqual([
    { line: 1, image: "acme/a:1", tag: "1" },
    { line: 4, image: `acme/b@${DIGEST}`, digest: DIGEST },
    { line: 5, image: "not an image!", unreadable: "reference" },
  ]);
});

describe("a text that patterns and indexes of a row are slow with", () => {
  it("is recognized after any number of blank lines and comments", () => {
    const blank = `${"\n".repeat(24)}# a\n${" \t\n".repeat(24)}`;
    expect(read(`${blank}FROM acme/x:1`)).toEqual([{ line: 50, image: "acme/x:1", tag: "1" }]);
    expect(read(`${blank}acme/x:1`)).toEqual([{ line: 50, image: "acme/x:1", tag: "1" }]);
  });

  it("has its line in each of many rows", () => {
    const rows = Array.from({ length: 8_000 }, (_, row) => `acme/x:${row}`);
    const uses = read(rows.join("\n"));
    expect(uses.length).toBe(8_000);
    expect(uses.at(-1)).toEqual({ line: 8_000, image: "acme/x:7999", tag: "7999" });
  });

  it("names a key that is there twice", () => {
    const { problems } = readManifest({ name: "pasted", text: "image: acme/a:1\nimage: acme/b:1\n" });
    expect(problems).toEqual(["A key is there twice at line 2"]);
  });

  it("is no image if its variables make it long", () => {
    const text = `ARG A=${"a".repeat(1_000)}\nFROM ${"$A".repeat(900)}`;
    const [use] = readManifest({ name: "Dockerfile", text }).uses;
    expect(use).toMatchObject({ line: 2, unreadable: "reference" });
  });

  it("names every mount of an instruction that is an image", () => {
    const text =
      "FROM scratch\nRUN --mount=type=bind,from=acme/a:1,target=/a --mount=from=acme/b:2 make --mount=x";
    expect(read(text)).toEqual([
      { line: 2, image: "acme/a:1", tag: "1" },
      { line: 2, image: "acme/b:2", tag: "2" },
    ]);
  });
});
