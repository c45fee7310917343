import { expect, test } from "vitest";

import { oddGadgets } from "platform-contract/testing/invented";

import { applyMask, fixedViolations, readMask } from "./masks";
import { toAnswer } from "./standard";
import { withoutUnset } from "./values";

const current = {
  name: "lathe",
  oidc: { clientId: "a", clientSecret: "hidden", correlationRule: "EMAIL" },
  externalGroupId: "admins",
  labels: { a: "1" },
};
type Body = Record<string, unknown>;
const update = (body: Body, mask?: string) => {
  const masked = readMask(oddGadgets, body, mask);
  return {
    fields: withoutUnset(applyMask(oddGadgets, current, body, masked)),
    refused: fixedViolations(oddGadgets, current, body, masked).map(({ field }) => field),
  };
};

test("a field that is set on creation may be repeated, and another value is refused", () => {
  expect(update({ externalGroupId: "admins" })).toEqual({ fields: current, refused: [] });
  expect(update({ externalGroupId: "others", name: "new" }).refused).toEqual(["externalGroupId"]);
  expect(update({ externalGroupId: "" }, "externalGroupId").refused).toEqual(["externalGroupId"]);
  expect(update({ oidc: { correlationRule: "NONE" } }).refused).toEqual(["oidc.correlationRule"]);
  expect(update({ externalGroupId: "others", name: "new" }, "name").refused).toEqual([]);
});

test("a replacement that does not repeat what is set on creation keeps it", () => {
  expect(update({ name: "new", oidc: { clientId: "b" } }, "*")).toEqual({
    fields: { name: "new", oidc: { ...current.oidc, clientId: "b" }, externalGroupId: "admins" },
    refused: [],
  });
});

test("a secret stays unless it is named itself", () => {
  const secretOf = (body: Body, mask?: string) => Object(update(body, mask).fields["oidc"])["clientSecret"];
  expect(secretOf({ oidc: { clientId: "b" } }, "oidc")).toBe("hidden");
  expect(secretOf({ oidc: { clientId: "b", clientSecret: "" } }, "oidc")).toBe("hidden");
  expect(secretOf({ oidc: { clientId: "b" } })).toBe("hidden");
  expect(secretOf({ oidc: { clientSecret: "" } })).toBeUndefined();
  expect(secretOf({}, "oidc.client_secret")).toBeUndefined();
  expect(secretOf({ oidc: { clientSecret: "new" } }, "oidc.clientSecret")).toBe("new");
  expect(update({ name: "new" }, "*").fields["oidc"]).toBeUndefined();
});

test("a map is one field of a mask, also one of objects", () => {
  expect(update({ labels: { b: "2" } }).fields["labels"]).toEqual({ b: "2" });
  expect(readMask(oddGadgets, { accounts: { one: { account: "1" } } }, undefined).paths).toEqual([
    ["accounts"],
  ]);
  expect(readMask(oddGadgets, {}, "accounts.one").violations.map(({ field }) => field)).toEqual([
    "updateMask",
  ]);
});

test("what is only taken counts where it is sent, and a replacement need not repeat it", () => {
  expect(readMask(oddGadgets, { ttl: "60s" }, undefined).paths).toEqual([["ttl"]]);
  expect(readMask(oddGadgets, { name: "new" }, "*").paths).not.toContainEqual(["ttl"]);
  expect(readMask(oddGadgets, { ttl: "60s" }, "*").paths).toContainEqual(["ttl"]);
});

test("an answer has none of what is hidden", () => {
  const answer = toAnswer(oddGadgets, { uid: "x", ...current, ttl: "60s", code: "once" });
  expect(JSON.stringify(answer)).not.toMatch(/hidden|60s|once/);
  expect(answer["oidc"]).toEqual({ clientId: "a", correlationRule: "EMAIL" });
});
