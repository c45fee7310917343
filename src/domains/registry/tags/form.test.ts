import { expect, it } from "vitest";

import { fromTag, tagSchema, toBody, type TagValues } from "./form";

const digest = `sha256:${"a".repeat(64)}`;
const problems = (change: Partial<TagValues>) =>
  (tagSchema.safeParse({ ...fromTag(), name: "1.27", digest, ...change }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join(".")}: ${message}`,
  );

it("sends every field of a tag, so that no old value is kept", () => {
  expect(toBody({ name: " 1.27 ", digest: ` ${digest}\n`, deprecated: false, bundles: [] })).toEqual({
    name: "1.27",
    digest,
    deprecated: false,
    bundles: [],
  });
  const tag = { uid: "x", name: "1", digest, deprecated: true, bundles: ["fips", "base"] };
  expect(toBody(fromTag(tag))).toEqual({ name: "1", digest, deprecated: true, bundles: ["fips", "base"] });
  expect(fromTag({ uid: "x", name: "1" })).toEqual({ ...fromTag(), name: "1" });
  const labels = ["premium plus", "a,b"];
  expect(toBody(fromTag({ ...tag, bundles: labels })).bundles).toEqual(labels);
});

it("validates like the contract, and reports missing fields", () => {
  expect(problems({})).toEqual([]);
  expect(problems({ name: "", digest: "" })).toEqual(["name: Enter a name", "digest: Enter a digest"]);
  expect(problems({ digest: "latest" })).toEqual(["digest: must be sha256: followed by 64 hex digits"]);
  expect(problems({ name: "-1" })[0]).toMatch(/^name: must be 1 to 128 letters/);
});
