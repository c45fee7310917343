import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import type { Wire } from "../../conformance/world";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { ADA, Federation, textOf, VIEWER } from "../../testing/federation";
import { startUpstream } from "../../testing/upstream";
import { Browser, openSignIn, refresh } from "./testing";

const EDITOR = builtInRoleUid("editor");

let federation: Federation;
beforeAll(async () => {
  federation = await Federation.open();
});
afterAll(() => federation.stop());
beforeEach(() => {
  federation.issuer.person = ADA;
});

test("the first sign-in makes an account, a person and one binding to the default role", async () => {
  federation.issuer.person = { ...ADA, sub: "first" };
  const { page, browser } = await openSignIn(federation.base, { idp_hint: federation.provider });
  expect(textOf(page)).toContain("Continue with Acme SSO");
  const { accessToken, idToken, identity } = await federation.signedIn();
  expect(decodeJwt(idToken)).toMatchObject({ email: ADA.email, email_verified: true, name: "Ada" });
  expect(await federation.held(identity)).toEqual(["viewer at folder"]);
  const me = { uid: identity, token: accessToken };
  expect(await federation.world.make(me, "identities.get", { uid: identity })).toMatchObject({
    name: "Ada",
    emailUnverified: ADA.email,
  });
  expect(browser.cookie("providers")).toBe("");
});

test("the default role is given once: what was removed stays removed", async () => {
  federation.issuer.person = { ...ADA, sub: "once" };
  const { identity } = await federation.signedIn();
  const { roleBindings } = await federation.world.make(federation.owner, "roleBindings.list", {
    query: { identity },
  });
  await federation.world.make(federation.owner, "roleBindings.delete", { uid: roleBindings[0].uid });
  expect((await federation.signedIn()).identity).toBe(identity);
  expect(await federation.held(identity)).toEqual([]);
});

test("the browser remembers the provider once it has signed in with it, and not before", async () => {
  const browser = new Browser();
  const offers = async () => textOf((await openSignIn(federation.base, { prompt: "login" }, browser)).page);
  await openSignIn(federation.base, { idp_hint: federation.provider }, browser);
  expect(await offers()).not.toContain("Continue with");
  await federation.signIn(federation.provider, browser);
  expect(await offers()).toContain("Continue with Acme SSO");
});

test("mapped bindings are those of the groups at each sign-in; what was given by hand stays", async () => {
  const uid = await federation.makeProvider();
  const [engineers, admins] = [
    await federation.map("engineers", EDITOR, uid),
    await federation.map("admins", EDITOR, uid),
  ];
  await federation.map("auditors", VIEWER, uid);
  const as = async (groups: unknown) => {
    federation.issuer.person = { ...ADA, sub: "mapped", ...(groups !== undefined && { groups }) };
    const { identity } = await federation.signedIn(uid);
    return federation.held(identity);
  };
  const base = "viewer at folder";
  expect(await as(undefined)).toEqual([base]);
  expect(await as("engineers")).toEqual(["editor at acme", base]);
  expect(await as(["engineers", "auditors", "nobody", 7])).toEqual([
    "editor at acme",
    "viewer at acme",
    base,
  ]);
  // The same role through another group, then through none.
  expect(await as(["admins"])).toEqual(["editor at acme", base]);
  expect(await as(["Admins", "admin", "admins "])).toEqual([base]);
  expect(await as(["admins", "engineers"])).toEqual(["editor at acme", base]);
  const { identity } = await federation.signedIn(uid);
  await federation.world.make(federation.owner, "externalGroupRoleMappings.delete", { uid: engineers });
  expect(await federation.held(identity)).toEqual(["editor at acme", base]);
  // Its members have the new role immediately.
  await federation.world.make(federation.owner, "externalGroupRoleMappings.update", {
    uid: admins,
    body: { roleUid: VIEWER },
  });
  expect(await federation.held(identity)).toEqual(["viewer at acme", base]);
  await federation.world.make(federation.owner, "externalGroupRoleMappings.delete", { uid: admins });
  expect(await federation.held(identity)).toEqual([base]);
  await federation.world.bind(federation.owner, federation.organization, identity, "viewer");
  expect(await as(["auditors"])).toEqual(["viewer at acme", base]);
  expect(await as([])).toEqual(["viewer at acme", base]);
});

test("groups come from userinfo where the ID token has none", async () => {
  const uid = await federation.makeProvider();
  await federation.map("engineers", EDITOR, uid);
  federation.issuer.inUserinfo = true;
  await federation.issuer.register(`${federation.base}/unused`);
  federation.issuer.person = { ...ADA, sub: "userinfo", groups: ["engineers"] };
  const { identity } = await federation.signedIn(uid);
  federation.issuer.inUserinfo = false;
  await federation.issuer.register(`${federation.base}/unused`);
  expect(await federation.held(identity)).toEqual(["editor at acme", "viewer at folder"]);
});

test("an account is one provider's: the same person at another one, or with another's email, is somebody else", async () => {
  const other = await federation.makeProvider();
  const [here, there] = [await federation.signedIn(), await federation.signedIn(other)];
  expect(here.identity).not.toBe(there.identity);
  expect((await federation.signedIn()).identity).toBe(here.identity);
  // A local account with this email is not affected either, and there is no password page.
  const { browser } = here;
  const page = await browser.get(`${federation.base}/oidc/account/password`);
  expect(textOf(page)).toContain("You sign in with Acme SSO");
});

test("another issuer knows other people, whatever it calls them", async () => {
  const uid = await federation.makeProvider();
  const before = await federation.signedIn(uid);
  const impostor = await startUpstream();
  await impostor.register(`${federation.base}/oidc/callback/${uid}`);
  const { url, clientSecret } = impostor;
  const change = (oidc: Wire) =>
    federation.world.make(federation.owner, "identityProviders.update", { uid, body: { oidc } });
  await change({ issuer: url, clientSecret });
  expect((await federation.signedIn(uid)).identity).not.toBe(before.identity);
  await change({ issuer: federation.issuer.url, clientSecret: federation.issuer.clientSecret });
  expect((await federation.signedIn(uid)).identity).toBe(before.identity);
  await impostor.stop();
});

test("a provider that is deleted signs nobody in, and ends what it had signed in", async () => {
  const uid = await federation.makeProvider();
  const { browser, identity, refreshToken } = await federation.signedIn(uid);
  await federation.world.make(federation.owner, "identityProviders.delete", { uid });
  const { status } = await federation.world.service.call(
    "GET",
    `/iam/v2/identities/${identity}`,
    federation.owner,
  );
  expect(status).toBe(200);
  expect(await federation.held(identity)).toEqual(["viewer at folder"]);
  expect((await refresh(federation.base, refreshToken)).status).toBe(400);
  expect(textOf((await openSignIn(federation.base, {}, browser)).page)).toContain("Password");
  expect((await federation.leaveWith(uid)).left.status).toBe(404);
});
