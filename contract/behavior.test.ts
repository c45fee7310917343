import { expect, it } from "vitest";
import * as z from "zod/mini";

import { omitPaths } from "./behavior";
import { resource } from "./resource";
import { secondsOf, shapeOf } from "./schema";
import { oddGadgets } from "./testing/invented";

const issues = (value: object) =>
  oddGadgets.request
    .safeParse({ name: "lathe", ttl: "3600s", ...value })
    .error?.issues.map(({ path, message }) => `${path.join(".")}: ${message}`) ?? [];
const keysOf = (schema: unknown) => Object.keys(shapeOf(schema as never) ?? {});

it("omits input-only fields from responses, and returns shown-once fields only on create", () => {
  for (const { answer } of [oddGadgets.get, oddGadgets.update]) {
    expect(keysOf(answer)).toContain("expirationTime");
    for (const field of ["ttl", "code"]) expect(keysOf(answer)).not.toContain(field);
    expect(keysOf(shapeOf(answer as never)?.["oidc"])).toEqual(["clientId", "correlationRule"]);
  }
  expect(keysOf(oddGadgets.create.answer)).toContain("code");
  expect(keysOf(oddGadgets.create.answer)).not.toContain("ttl");
  expect(keysOf(oddGadgets.request)).toContain("ttl");
});

it("refuses a behavior of a field that is not there, which a typo would make public", () => {
  const { kind: _kind, ...rest } = { kind: 0, settable: { name: z.string() }, output: {}, filters: {} };
  const make = () => resource({ ...rest, kind: oddGadgets as never, behavior: { secret: ["oidc.secret"] } });
  expect(make).toThrow("There is no field oidc.secret");
});

it("takes out of a value what stands at a path, and leaves its neighbors", () => {
  const value = { ttl: "1s", oidc: { clientId: "a", clientSecret: "b" }, list: [{ ttl: "1s" }] };
  expect(omitPaths(value, ["ttl", "oidc.clientSecret", "list.ttl"])).toEqual({
    oidc: { clientId: "a" },
    list: [{ ttl: "1s" }],
  });
});

it.each([
  [{ ttl: "60s", findings: "AAECAwQF", installationId: "-9223372036854775808", labels: { a: "" } }, []],
  [{ ttl: "1.5s" }, ["ttl: must be a duration from 60s to 2592000s, such as 60s"]],
  [{ ttl: "1h" }, ["ttl: must be a duration from 60s to 2592000s, such as 60s"]],
  [{ findings: "AAEC-w==" }, ["findings: must be base64"]],
  [{ findings: "AAECA" }, ["findings: must be base64"]],
  [{ findings: "AAECAwQFBgcI" }, ["findings: must be at most 6 bytes long"]],
  [{ installationId: 7 }, ["installationId: must be a whole number as text"]],
  [{ installationId: "007" }, ["installationId: must be a whole number as text"]],
  [{ installationId: "9223372036854775808" }, ["installationId: must fit in 64 bits"]],
  [{ accounts: { one: { account: "12" } } }, ['accounts.one.account: must match "^\\d{12}$"']],
] as const)("judges %j", (value, found) => {
  expect(issues(value)).toEqual(found);
});

it("reads seconds", () => {
  expect([secondsOf("3600s"), secondsOf("1.5s"), secondsOf("1m")]).toEqual([3600, 1.5, undefined]);
});
