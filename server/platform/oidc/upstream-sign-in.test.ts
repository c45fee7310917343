import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Wire } from "../../conformance/world";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { ADA, Federation, textOf } from "../../testing/federation";
import { startUpstream } from "../../testing/upstream";
import { Browser } from "./testing";

let federation: Federation;
beforeAll(async () => {
  federation = await Federation.open();
});
afterAll(() => federation.stop());
beforeEach(() => {
  federation.issuer.person = ADA;
});

/** Expects a failed sign-in to leave nothing but the interaction. */
async function leavesNothing<T>(work: () => Promise<T>): Promise<T> {
  const tables = ["upstream_accounts", "identities", "role_bindings", "mapped_bindings"];
  const rows = () =>
    Promise.all(
      tables.map((table) =>
        federation.world.service.database.query(`select t::text from ${table} t order by 1`),
      ),
    );
  const before = await rows();
  const result = await work();
  expect(await rows()).toEqual(before);
  return result;
}

const fails = async (uid: string, words: string): Promise<void> => {
  federation.issuer.person = { ...ADA, sub: "never" };
  const result = await leavesNothing(() => federation.signIn(uid));
  expect(result).toHaveProperty("page");
  const { page } = result as { page: string };
  expect(page).toContain(words);
  expect(page).not.toMatch(/ at \w+ \(|node_modules|Error:/);
};

test("an issuer that is down, before and after the person was there", async () => {
  const [first, second] = [await federation.makeProvider(), await federation.makeProvider()];
  federation.issuer.down = true;
  await fails(first, "can't be reached: its configuration");
  federation.issuer.down = false;
  federation.issuer.person = { ...ADA, sub: "never" };
  const browser = new Browser();
  const { back } = await federation.leaveWith(second, browser);
  federation.issuer.down = true;
  const page = textOf(await leavesNothing(() => browser.get(back.location ?? "")));
  federation.issuer.down = false;
  expect(page).toContain("can't be reached to complete the sign-in");
});

test("a secret that is wrong, or gone", async () => {
  await fails(
    await federation.makeProvider({ clientSecret: "wrong" }),
    "doesn't accept this service's client ID and secret",
  );
  const uid = await federation.makeProvider();
  await federation.world.service.database.query("delete from identity_provider_secrets where uid = $1", [
    uid,
  ]);
  await fails(uid, "client secret of Acme SSO is missing here");
});

test("an issuer that takes a secret in the body alone, although it advertises both ways", async () => {
  federation.issuer.proof = "client_secret_post";
  const uid = await federation.makeProvider();
  expect(decodeJwt((await federation.signedIn(uid)).idToken)["email"]).toBe(ADA.email);
  await fails(
    await federation.makeProvider({ clientSecret: "wrong" }),
    "doesn't accept this service's client ID and secret",
  );
  federation.issuer.proof = "client_secret_basic";
  await federation.issuer.register(`${federation.base}/unused`);
});

test("an issuer that calls itself something else", async () => {
  const uid = await federation.makeProvider({ issuer: `${federation.issuer.url}/` });
  await fails(
    uid,
    `identifies itself as ${federation.issuer.url} but is configured here as ${federation.issuer.url}/`,
  );
});

test("a person who says no there", async () => {
  const browser = new Browser();
  const { left } = await federation.leaveWith(federation.provider, browser);
  const { left: again } = await federation.leaveWith(federation.provider, browser);
  const state = new URL(again.location ?? "").searchParams.get("state") ?? "";
  expect(new URL(left.location ?? "").searchParams.get("state")).not.toBe(state);
  const address = `${federation.base}/oidc/callback/${federation.provider}?error=access_denied&state=${state}&iss=${encodeURIComponent(federation.issuer.url)}`;
  expect(textOf(await browser.get(address))).toContain("Acme SSO denied the sign-in");
});

test("a return that is replayed, forged, of another browser or of another provider", async () => {
  const browser = new Browser();
  const { back } = await federation.leaveWith(federation.provider, browser);
  const address = back.location ?? "";
  const cannot = async (with_: Browser, url: string) => {
    const page = await leavesNothing(() => with_.get(url));
    expect([page.status, textOf(page)]).toEqual([
      400,
      expect.stringContaining("This sign-in can't continue"),
    ]);
  };
  const state = new URL(address).searchParams.get("state") ?? "";
  await cannot(new Browser(), address);
  await cannot((await federation.leaveWith(federation.provider)).browser, address);
  await cannot(browser, address.replace(state, `${state}x`));
  await cannot(browser, address.replace(/state=[^&]*/, ""));
  // The complete request consumed it; the code of another sign-in is not valid for this one.
  expect((await browser.get(address)).location).toContain("/oidc/auth/");
  await cannot(browser, address);
  const [mine, theirs] = [
    await federation.leaveWith(federation.provider, browser),
    await federation.leaveWith(federation.provider),
  ];
  const code = new URL(theirs.back.location ?? "").searchParams.get("code") ?? "";
  const own = new URL(mine.back.location ?? "");
  own.searchParams.set("code", code);
  const swapped = await leavesNothing(() => browser.get(own.href));
  expect(textOf(swapped)).toContain("rejected the code");
  const other = await federation.makeProvider();
  const third = await federation.leaveWith(federation.provider, browser);
  await cannot(browser, (third.back.location ?? "").replace(federation.provider, other));
});

test("keys that were rotated are read again; an ID token that no key fits is refused", async () => {
  const uid = await federation.makeProvider();
  federation.issuer.person = { ...ADA, sub: "rotated" };
  await federation.signedIn(uid);
  await federation.issuer.rotate();
  const first = await federation.signIn(uid);
  if ("page" in first) expect(first.page).toContain("couldn't be verified");
  await federation.signedIn(uid);
  const foreign = await startUpstream();
  federation.issuer.instead.set("/jwks", await (await fetch(`${foreign.url}/jwks`)).json());
  const fresh = await federation.makeProvider();
  await fails(fresh, "couldn't be verified");
  federation.issuer.instead.clear();
  await foreign.stop();
});

test("groups that the issuer left out are not groups that somebody has left", async () => {
  const uid = await federation.makeProvider();
  federation.issuer.inUserinfo = false;
  federation.issuer.instead.set("/me", { sub: "never", _claim_names: { groups: "src1" } });
  await fails(uid, "left out your groups");
  federation.issuer.instead.clear();
});

test("a sign-in that fails is in the log of the organization, about the provider and nobody", async () => {
  const uid = await federation.makeProvider({ clientSecret: "wrong" });
  await federation.signIn(uid);
  const { world, owner, folder } = federation;
  const { auditEntries } = await world.make(owner, "auditEntries.list", {
    query: { record: uid, action: "signIn.provider" },
  });
  expect(auditEntries).toMatchObject([
    {
      outcome: "OUTCOME_REFUSED",
      reason: "PROVIDER_FAILED",
      record: { kind: "identityProviders", uid, name: "Acme SSO", group: folder },
      request: { address: "127.0.0.1", transport: "http" },
    },
  ]);
  expect(auditEntries[0]).not.toHaveProperty("actor");
});

test("the entry of a sign-in names the provider, its default role and the groups that gave roles", async () => {
  const { world, owner } = federation;
  federation.issuer.inUserinfo = false;
  const uid = await federation.makeProvider();
  const mapping = await federation.map("devs", builtInRoleUid("editor"), uid);
  const signIn = async (groups: string[]) => {
    federation.issuer.person = { ...ADA, sub: "named", groups };
    return federation.signedIn(uid);
  };
  const { identity } = await signIn(["devs"]);
  const entriesAbout = async (record: string, action: string) =>
    (await world.make(owner, "auditEntries.list", { query: { record, action } }))["auditEntries"] as Wire[];
  const [entry] = await entriesAbout(identity, "signIn.provider");
  expect(entry).toMatchObject({
    actor: { uid: identity, provider: uid },
    names: { [uid]: "Acme SSO" },
    changes: [
      { field: "defaultRole", after: JSON.stringify(builtInRoleUid("viewer")) },
      { field: "groups", after: '["devs"]' },
    ],
  });
  await signIn(["devs"]);
  const [again] = await entriesAbout(identity, "signIn.provider");
  expect(again).not.toHaveProperty("changes");
  // A mapping is in the history of its provider too.
  const [made] = await entriesAbout(uid, "externalGroupRoleMappings.create");
  expect(made).toMatchObject({ record: { uid: mapping } });
});
