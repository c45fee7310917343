import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, expect, test } from "vitest";

import { SIGNATURE_TYPE, signSnapshot } from "platform-contract/snapshots/signatures";

import { COLLECTIONS, kindIn } from "platform-client/snapshots/format";
import { checkSignature, readSignature } from "./signature";
import { digestOf, SignatureProblem } from "./signature-file";

const SERVICE = "https://platform.example";
const GROUP = "aaaa/bbbb";
/** By `printf '{}\n' | sha256sum`. */
const DIGEST = "sha256:ca3d163bab055381827226140568f3bef7eaac187cebd76878e0b63e9e442356";

let keys: object[];
let sign: (claims?: object, header?: object) => Promise<string>;

beforeAll(async () => {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }];
  sign = (claims = {}, header = {}) =>
    new SignJWT({ iss: SERVICE, sub: "cccc", iat: 1_796_000_000, group: GROUP, digest: DIGEST, ...claims })
      .setProtectedHeader({ alg: "ES256", kid: "one", typ: SIGNATURE_TYPE, ...header })
      .sign(privateKey);
});

async function verdicts(
  text: string,
  { digest = DIGEST, group = GROUP as string | undefined, with: known = keys as object[] | null } = {},
): Promise<Record<string, string>> {
  const checks = await checkSignature(
    { signature: readSignature(text), digest, group },
    SERVICE,
    known ?? undefined,
  );
  return Object.fromEntries(checks.map(({ label, verdict }) => [label, verdict]));
}

const RIGHT = { Signature: "right", Service: "right", File: "right", Scope: "right" };

test("the capabilities that signing needs are those of every list of a snapshot", () => {
  expect(signSnapshot.access.needs.toSorted()).toEqual(
    COLLECTIONS.flatMap((kind) => [...kindIn(kind).access.list.needs]).toSorted(),
  );
});

test("a signature says who, when, and of which group", async () => {
  expect(readSignature(`${await sign()}\n`).claims).toEqual({
    service: SERVICE,
    by: "cccc",
    group: GROUP,
    digest: DIGEST,
    time: "2026-11-30T00:53:20.000Z",
  });
  expect(await digestOf(new Blob(["{}\n"]))).toBe(DIGEST);
  expect(await verdicts(await sign())).toEqual(RIGHT);
});

test("another file, group, service or key is found out", async () => {
  const text = await sign();
  expect(await verdicts(text, { digest: `sha256:${"0".repeat(64)}` })).toEqual({ ...RIGHT, File: "wrong" });
  expect(await verdicts(text, { group: "aaaa" })).toEqual({ ...RIGHT, Scope: "wrong" });
  expect(await verdicts(await sign({ iss: "https://other.example" }))).toEqual({
    ...RIGHT,
    Service: "wrong",
  });
  const { publicKey } = await generateKeyPair("ES256");
  const other = { ...(await exportJWK(publicKey)), alg: "ES256" };
  expect(await verdicts(text, { with: [{ ...other, kid: "one" }] })).toEqual({
    ...RIGHT,
    Signature: "wrong",
  });
  expect(await verdicts(text, { with: [{ ...other, kid: "two" }] })).toEqual({
    ...RIGHT,
    Signature: "unknown",
  });
  expect(await verdicts(text, { with: null })).toEqual({ ...RIGHT, Signature: "unknown" });
  const [head, , end] = text.split(".");
  const claims = JSON.stringify({ iss: SERVICE, sub: "dddd", iat: 1, group: GROUP, digest: DIGEST });
  const forged = `${head}.${btoa(claims).replaceAll("=", "")}.${end}`;
  expect(await verdicts(forged)).toEqual({ ...RIGHT, Signature: "wrong" });
});

test("what is no signature of a snapshot is not read", async () => {
  for (const text of [
    "",
    "{}",
    "a.b.c",
    await sign({}, { typ: "at+jwt" }),
    await sign({ digest: 7 }),
    await sign({ iat: undefined }),
    await sign({ iat: 1e300 }),
  ])
    expect(() => readSignature(text)).toThrow(SignatureProblem);
});
