/* oxlint-disable max-lines -- one story: every step of one sign-in, with the same people */
import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { World, type Person, type Wire } from "../conformance/world";
import { builtInRoleUid } from "../store/roles";
import { personUid } from "../store/uids";
import { startUpstream, type UpstreamIssuer } from "../testing/upstream";
import { Browser, openSignIn, redeem, type Answer } from "./testing";

let world: World;
let base: string;
let issuer: UpstreamIssuer;
let owner: Person;
let organization: string;
let folder: string;
let provider: string;

const ADA = { sub: "ada", email: "ada@acme.example", email_verified: true, name: "Ada" };
const VIEWER = builtInRoleUid("viewer");
const EDITOR = builtInRoleUid("editor");

beforeAll(async () => {
  world = await World.open();
  base = world.service.url;
  issuer = await startUpstream();
  owner = await world.person("owner");
  organization = await world.create(owner, "groups", "", { name: "acme" });
  folder = await world.create(owner, "groups", organization, { name: "folder" });
  provider = await makeProvider();
});
afterAll(async () => {
  await issuer.stop();
  await world.service.stop();
});
beforeEach(() => {
  issuer.person = ADA;
});

/** A provider of the folder, known upstream. */
async function makeProvider(oidc: Wire = {}): Promise<string> {
  const { url, clientId, clientSecret } = issuer;
  const uid = await world.create(owner, "identityProviders", folder, {
    name: "Acme SSO",
    defaultRole: VIEWER,
    oidc: {
      issuer: url,
      clientId,
      clientSecret,
      groupsClaim: "groups",
      additionalScopes: ["email", "profile", "groups"],
      ...oidc,
    },
  });
  await issuer.register(`${base}/oidc/callback/${uid}`);
  return uid;
}

const textOf = ({ body }: Answer): string =>
  body
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'");

/** From the sign-in page to the issuer, which has nobody's session there, and to the door of the service again. */
async function leaveWith(uid: string, browser = new Browser()) {
  const opened = await openSignIn(base, { idp_hint: uid }, browser);
  const left = await browser.get(`${opened.page.url}/continue/${uid.replaceAll("/", "_")}`);
  const back =
    left.location === undefined ? left : await browser.follow(left, `${base}/oidc/callback/${uid}`);
  return { ...opened, left, back };
}

/** All the way to tokens; otherwise to the page that says why not. */
async function signIn(uid = provider, browser = new Browser()) {
  const { back, request } = await leaveWith(uid, browser);
  if (back.location === undefined) return { page: textOf(back), status: back.status };
  const home = await browser.follow(await browser.get(back.location), request.redirectUri);
  if (home.location === undefined) return { page: textOf(home), status: home.status };
  const signedIn = await redeem(base, browser, home.location, request);
  const { sub = "" } = decodeJwt(signedIn.accessToken);
  const identity = personUid(world.service.config.issuer, sub);
  return { ...signedIn, subject: sub, identity };
}

async function signedIn(uid = provider) {
  const result = await signIn(uid);
  if (!("identity" in result)) throw new Error(result.page);
  return result;
}

/** Role and group of what somebody holds. */
async function held(identity: string): Promise<string[]> {
  const { roleBindings } = await world.make(owner, "roleBindings.list", { query: { identity } });
  return roleBindings.map(({ role, group }: Wire) => `${role.name} at ${group.name}`).toSorted();
}

const map = async (group: string, roleUid: string, uid = provider): Promise<string> =>
  world.create(owner, "externalGroupRoleMappings", uid, {
    externalGroupId: group,
    roleUid,
    scope: organization,
  });

test("the first sign-in makes an account, a person and one binding to the default role", async () => {
  issuer.person = { ...ADA, sub: "first" };
  const { page, browser } = await openSignIn(base, { idp_hint: provider });
  expect(textOf(page)).toContain("Continue with Acme SSO");
  const { accessToken, idToken, identity } = await signedIn();
  expect(decodeJwt(idToken)).toMatchObject({ email: ADA.email, email_verified: true, name: "Ada" });
  expect(await held(identity)).toEqual(["viewer at folder"]);
  const me = { uid: identity, token: accessToken };
  expect(await world.make(me, "identities.get", { uid: identity })).toMatchObject({
    name: "Ada",
    emailUnverified: ADA.email,
  });
  expect(browser.cookie("providers")).toBe("");
});

test("the default role is given once: what was removed stays removed", async () => {
  issuer.person = { ...ADA, sub: "once" };
  const { identity } = await signedIn();
  const { roleBindings } = await world.make(owner, "roleBindings.list", { query: { identity } });
  await world.make(owner, "roleBindings.delete", { uid: roleBindings[0].uid });
  expect((await signedIn()).identity).toBe(identity);
  expect(await held(identity)).toEqual([]);
});

test("the browser remembers the provider once it has signed in with it, and not before", async () => {
  const browser = new Browser();
  const offers = async () => textOf((await openSignIn(base, { prompt: "login" }, browser)).page);
  await openSignIn(base, { idp_hint: provider }, browser);
  expect(await offers()).not.toContain("Continue with");
  await signIn(provider, browser);
  expect(await offers()).toContain("Continue with Acme SSO");
});

test("mapped bindings are those of the groups at each sign-in; what was given by hand stays", async () => {
  const uid = await makeProvider();
  const [engineers, admins] = [await map("engineers", EDITOR, uid), await map("admins", EDITOR, uid)];
  await map("auditors", VIEWER, uid);
  const as = async (groups: unknown) => {
    issuer.person = { ...ADA, sub: "mapped", ...(groups !== undefined && { groups }) };
    const { identity } = await signedIn(uid);
    return held(identity);
  };
  const base = "viewer at folder";
  expect(await as(undefined)).toEqual([base]);
  expect(await as("engineers")).toEqual(["editor at acme", base]);
  expect(await as(["engineers", "auditors", "nobody", 7])).toEqual([
    "editor at acme",
    "viewer at acme",
    base,
  ]);
  // The same role by another group, then by none.
  expect(await as(["admins"])).toEqual(["editor at acme", base]);
  expect(await as(["Admins", "admin", "admins "])).toEqual([base]);
  expect(await as(["admins", "engineers"])).toEqual(["editor at acme", base]);
  const { identity } = await signedIn(uid);
  await world.make(owner, "externalGroupRoleMappings.delete", { uid: engineers });
  expect(await held(identity)).toEqual(["editor at acme", base]);
  // Its members have the other role at once.
  await world.make(owner, "externalGroupRoleMappings.update", { uid: admins, body: { roleUid: VIEWER } });
  expect(await held(identity)).toEqual(["viewer at acme", base]);
  await world.make(owner, "externalGroupRoleMappings.delete", { uid: admins });
  expect(await held(identity)).toEqual([base]);
  await world.bind(owner, organization, identity, "viewer");
  expect(await as(["auditors"])).toEqual(["viewer at acme", base]);
  expect(await as([])).toEqual(["viewer at acme", base]);
});

test("groups come from userinfo where the ID token has none", async () => {
  const uid = await makeProvider();
  await map("engineers", EDITOR, uid);
  issuer.inUserinfo = true;
  await issuer.register(`${base}/unused`);
  issuer.person = { ...ADA, sub: "userinfo", groups: ["engineers"] };
  const { identity } = await signedIn(uid);
  issuer.inUserinfo = false;
  await issuer.register(`${base}/unused`);
  expect(await held(identity)).toEqual(["editor at acme", "viewer at folder"]);
});

test("an account is one provider's: the same person at another one, or with another's email, is somebody else", async () => {
  const other = await makeProvider();
  const [here, there] = [await signedIn(), await signedIn(other)];
  expect(here.identity).not.toBe(there.identity);
  expect((await signedIn()).identity).toBe(here.identity);
  // An account of the service itself with this email is not reached either, and has no password page.
  const { browser } = here;
  const page = await browser.get(`${base}/oidc/account/password`);
  expect(textOf(page)).toContain("You sign in with Acme SSO");
});

test("another issuer knows other people, whatever it calls them", async () => {
  const uid = await makeProvider();
  const before = await signedIn(uid);
  const impostor = await startUpstream();
  await impostor.register(`${base}/oidc/callback/${uid}`);
  const { url, clientSecret } = impostor;
  const change = (oidc: Wire) => world.make(owner, "identityProviders.update", { uid, body: { oidc } });
  await change({ issuer: url, clientSecret });
  expect((await signedIn(uid)).identity).not.toBe(before.identity);
  await change({ issuer: issuer.url, clientSecret: issuer.clientSecret });
  expect((await signedIn(uid)).identity).toBe(before.identity);
  await impostor.stop();
});

test("a provider that is deleted signs nobody in, and ends what it had signed in", async () => {
  const uid = await makeProvider();
  const { browser, identity, refreshToken } = await signedIn(uid);
  await world.make(owner, "identityProviders.delete", { uid });
  const { status } = await world.service.call("GET", `/iam/v2/identities/${identity}`, owner);
  expect(status).toBe(200);
  expect(await held(identity)).toEqual(["viewer at folder"]);
  const { refresh } = await import("./testing");
  expect((await refresh(base, refreshToken)).status).toBe(400);
  expect(textOf((await openSignIn(base, {}, browser)).page)).toContain("Password");
  expect((await leaveWith(uid)).left.status).toBe(404);
});

/** Nothing of a failed sign-in is left but the visit itself. */
async function leavesNothing<T>(work: () => Promise<T>): Promise<T> {
  const tables = ["upstream_accounts", "identities", "role_bindings", "mapped_bindings"];
  const rows = () =>
    Promise.all(
      tables.map((table) => world.service.database.query(`select t::text from ${table} t order by 1`)),
    );
  const before = await rows();
  const result = await work();
  expect(await rows()).toEqual(before);
  return result;
}

const fails = async (uid: string, words: string): Promise<void> => {
  issuer.person = { ...ADA, sub: "never" };
  const result = await leavesNothing(() => signIn(uid));
  expect(result).toHaveProperty("page");
  const { page } = result as { page: string };
  expect(page).toContain(words);
  expect(page).not.toMatch(/ at \w+ \(|node_modules|Error:/);
};

test("an issuer that is down, before and after the person was there", async () => {
  const uid = await makeProvider();
  issuer.down = true;
  await fails(uid, "cannot be reached: its configuration");
  issuer.down = false;
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  issuer.person = { ...ADA, sub: "never" };
  const browser = new Browser();
  const { back } = await leaveWith(uid, browser);
  issuer.down = true;
  const page = textOf(await leavesNothing(() => browser.get(back.location ?? "")));
  issuer.down = false;
  expect(page).toContain("cannot be reached to complete the sign-in");
});

test("a secret that is wrong, or gone", async () => {
  await fails(await makeProvider({ clientSecret: "wrong" }), "does not accept the client ID and secret");
  const uid = await makeProvider();
  await world.service.database.query("delete from identity_provider_secrets where uid = $1", [uid]);
  await fails(uid, "client secret of Acme SSO is missing here");
});

test("an issuer that calls itself something else", async () => {
  const uid = await makeProvider({ issuer: `${issuer.url}/` });
  await fails(uid, `calls itself ${issuer.url}, and is configured here as ${issuer.url}/`);
});

test("a person who says no there", async () => {
  const browser = new Browser();
  const { left } = await leaveWith(provider, browser);
  const { left: again } = await leaveWith(provider, browser);
  const state = new URL(again.location ?? "").searchParams.get("state") ?? "";
  expect(new URL(left.location ?? "").searchParams.get("state")).not.toBe(state);
  const address = `${base}/oidc/callback/${provider}?error=access_denied&state=${state}&iss=${encodeURIComponent(issuer.url)}`;
  expect(textOf(await browser.get(address))).toContain("Acme SSO did not let you in");
});

test("a return that is replayed, forged, of another browser or of another provider", async () => {
  const browser = new Browser();
  const { back } = await leaveWith(provider, browser);
  const address = back.location ?? "";
  const cannot = async (with_: Browser, url: string) => {
    const page = await leavesNothing(() => with_.get(url));
    expect([page.status, textOf(page)]).toEqual([
      400,
      expect.stringContaining("This sign-in cannot continue"),
    ]);
  };
  const state = new URL(address).searchParams.get("state") ?? "";
  await cannot(new Browser(), address);
  await cannot((await leaveWith(provider)).browser, address);
  await cannot(browser, address.replace(state, `${state}x`));
  await cannot(browser, address.replace(/state=[^&]*/, ""));
  // It was consumed by the one who had it all; the code of another visit is not for this one.
  expect((await browser.get(address)).location).toContain("/oidc/auth/");
  await cannot(browser, address);
  const [mine, theirs] = [await leaveWith(provider, browser), await leaveWith(provider)];
  const code = new URL(theirs.back.location ?? "").searchParams.get("code") ?? "";
  const own = new URL(mine.back.location ?? "");
  own.searchParams.set("code", code);
  const swapped = await leavesNothing(() => browser.get(own.href));
  expect(textOf(swapped)).toContain("did not accept the code");
  const other = await makeProvider();
  const third = await leaveWith(provider, browser);
  await cannot(browser, (third.back.location ?? "").replace(provider, other));
});

test("keys that were rotated are read again; an ID token that no key fits is refused", async () => {
  const uid = await makeProvider();
  issuer.person = { ...ADA, sub: "rotated" };
  await signedIn(uid);
  await issuer.rotate();
  const first = await signIn(uid);
  if ("page" in first) expect(first.page).toContain("could not be verified");
  await signedIn(uid);
  const foreign = await startUpstream();
  issuer.instead.set("/jwks", await (await fetch(`${foreign.url}/jwks`)).json());
  const fresh = await makeProvider();
  await fails(fresh, "could not be verified");
  issuer.instead.clear();
  await foreign.stop();
});

test("groups that the issuer left out are not groups that somebody has left", async () => {
  const uid = await makeProvider();
  issuer.inUserinfo = false;
  issuer.instead.set("/me", { sub: "never", _claim_names: { groups: "src1" } });
  await fails(uid, "left your groups out");
  issuer.instead.clear();
});
