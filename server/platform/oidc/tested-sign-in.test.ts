import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { fieldViolations } from "platform-contract/status";

import { pathOf } from "platform-contract/endpoint";
import { endpointOf, type Person, type Wire } from "../../conformance/world";
import { builtInRoleUid } from "../../domains/access/roles.table";
import { ADA, callbackOf, Federation, signInWith, textOf, VIEWER } from "../../testing/federation";
import { startUpstream } from "../../testing/upstream";
import { Browser, signUp, unescaped } from "./testing";

let federation: Federation;
/** The administrator, with the browser in which they are signed in. */
let admin: Person & { readonly browser: Browser };

async function administrator(name: string): Promise<typeof admin> {
  const { world, owner, organization, base } = federation;
  const { accessToken: token, browser } = await signUp(base, {
    email: `${name}@example.com`,
    password: "correct horse battery staple",
  });
  const { identities } = await world.make({ uid: "", token }, "identities.list", {
    query: { "uidp.in_root": "true" },
  });
  const uid: string = identities.find(({ name: own }: Wire) => own.startsWith(name)).uid;
  await world.bind(owner, organization, uid, "owner");
  return { uid, token, browser };
}

beforeAll(async () => {
  federation = await Federation.open();
  admin = await administrator("admin");
});
afterAll(() => federation.stop());
beforeEach(() => {
  federation.issuer.person = ADA;
  federation.issuer.inUserinfo = false;
});
afterEach(() => federation.issuer.instead.clear());

/** Does something that many milliseconds later. */
async function after<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

const oidcOf = (more: Wire = {}) => {
  const { url: issuer, clientId, clientSecret } = federation.issuer;
  const additionalScopes = ["email", "profile", "groups"];
  return { issuer, clientId, clientSecret, groupsClaim: "groups", additionalScopes, ...more };
};

const reserve = (by: Person = admin, query: Record<string, string> = {}) =>
  federation.world.make(by, "identityProviders.reserve", { parent: federation.folder, query });

const send = (uid: string, body: Wire, by: Pick<Person, "token"> = admin) =>
  federation.world.send(by.token, "identityProviders.testSignIn", { uid, body });

/** Starts a test and goes to the provider and back, in a browser. */
async function tested(uid: string, body: Wire, browser = admin.browser): Promise<string> {
  const { status, json }: { status: number; json: Wire } = await send(uid, body);
  if (status !== 200) throw new Error(JSON.stringify(json));
  const left = await browser.get(json["startUri"]);
  if (left.location === undefined) return textOf(left);
  const back = await browser.follow(left, callbackOf(federation.base, uid));
  return unescaped(textOf(back.location === undefined ? back : await browser.get(back.location)));
}

/** Everything that a sign-in would leave. */
async function leavesNothing<T>(work: () => Promise<T>): Promise<T> {
  const { database } = federation.world.service;
  const rows = () =>
    Promise.all([
      ...[
        "upstream_accounts",
        "identities",
        "role_bindings",
        "mapped_bindings",
        "memberships",
        "identity_providers",
        "identity_provider_secrets",
        "audit_entries",
      ].map((table) => database.query(`select t::text from ${table} t order by 1`)),
      database.query(
        "select kind, id from provider_records where kind in ('Session', 'Grant', 'Interaction', 'AuthorizationCode') order by 1, 2",
      ),
    ]);
  const before = await rows();
  const result = await work();
  expect(await rows()).toEqual(before);
  return result;
}

async function reserved() {
  const made = await reserve();
  await federation.issuer.register(made["redirectUri"]);
  return { uid: made["reservedUid"] as string, reservation: made["reservation"] as string, made };
}

test("a test with settings that are not saved says what a sign-in would do, and does none of it", async () => {
  const { uid, reservation } = await reserved();
  federation.issuer.person = { ...ADA, sub: "tried", groups: ["engineers"] };
  const page = await leavesNothing(() => tested(uid, { reservation, oidc: oidcOf() }));
  for (const said of [
    "The test sign-in works",
    "Nobody was signed in, and nothing was saved.",
    "Account ID (sub) tried",
    "ada@acme.example (verified)",
    "Groups (groups) engineers",
    "would get a new account, with the default role",
    "None of these groups has a mapping yet.",
  ])
    expect(page).toContain(said);
  // The same redirect URI is that of the provider once it is saved.
  const saved = await federation.world.make(admin, "identityProviders.create", {
    parent: federation.folder,
    query: { reservation },
    body: { name: "Acme SSO", defaultRole: VIEWER, oidc: oidcOf() },
  });
  expect(saved["uid"]).toBe(uid);
  expect(await signInWith(federation.base, uid)).toHaveProperty("accessToken");
});

test("of a saved provider, the stored secret is used for the stored issuer alone", async () => {
  const uid = await federation.makeProvider();
  await federation.map("engineers", builtInRoleUid("editor"), uid);
  federation.issuer.person = { ...ADA, sub: "known", groups: ["engineers", "others"] };
  await federation.signedIn(uid);
  const { clientSecret: _secret, ...oidc } = oidcOf();
  const page = await leavesNothing(() => tested(uid, { oidc }));
  expect(page).toContain("signed in to the account that they already have");
  expect(page).toContain("Group mappings would give roles for: engineers.");
  const elsewhere = await send(uid, { oidc: { ...oidc, issuer: "http://127.0.0.1:9" } });
  expect(fieldViolations(elsewhere.json)).toEqual([
    {
      field: "oidc.clientSecret",
      description: "must be entered again: the stored one is for the previous issuer",
    },
  ]);
});

test.each([
  ["a wrong secret", { clientSecret: "wrong" }, "doesn't accept this client ID and client secret"],
  ["an issuer that is not there", { issuer: "http://127.0.0.1:9" }, "can't be reached"],
  ["no claim of groups", { groupsClaim: "teams" }, 'No group came in the claim "teams"'],
  ["no email", { additionalScopes: [] }, "No email came"],
])("%s is said in words", async (_name, oidc, said) => {
  const { uid, reservation } = await reserved();
  const page = await leavesNothing(() => tested(uid, { reservation, oidc: oidcOf(oidc) }));
  expect(page).toContain(said);
  expect(page).toContain("Nobody was signed in");
  expect(page).not.toMatch(/ at \w+ \(|node_modules/);
});

test("an error that the provider returns is repeated", async () => {
  const { uid, reservation } = await reserved();
  const { json }: { json: Wire } = await send(uid, { reservation, oidc: oidcOf() });
  const { location = "" } = await admin.browser.get(json["startUri"]);
  const answer = new URLSearchParams({
    error: "invalid_scope",
    error_description: "no payroll",
    state: new URL(location).searchParams.get("state") ?? "",
    iss: federation.issuer.url,
  });
  const page = textOf(await admin.browser.get(`${callbackOf(federation.base, uid)}?${answer.toString()}`));
  expect(page).toContain("doesn't allow this client one of the scopes");
  expect(page).toContain("invalid_scope: no payroll");
});

test("an ID token that no published key fits, and an issuer with another name", async () => {
  const foreign = await startUpstream();
  const { uid, reservation } = await reserved();
  federation.issuer.instead.set("/jwks", await (await fetch(`${foreign.url}/jwks`)).json());
  expect(await tested(uid, { reservation, oidc: oidcOf() })).toContain(
    "None of the issuer's published keys fits the signature",
  );
  await foreign.stop();
  federation.issuer.instead.clear();
  const other = oidcOf({ issuer: `${federation.issuer.url}/` });
  expect(await tested(uid, { reservation, oidc: other })).toContain("identifies itself as");
});

test("somebody else's test opens nothing, and is not used up by them", async () => {
  const other = await administrator("other");
  const { uid, reservation } = await reserved();
  const { json }: { json: Wire } = await send(uid, { reservation, oidc: oidcOf() });
  const start: string = json["startUri"];
  const refusedIn = async (browser: Browser, url: string, title: string) => {
    const page = await leavesNothing(() => browser.get(url));
    expect(textOf(page)).toContain(title);
    expect(page.location).toBeUndefined();
  };
  await refusedIn(other.browser, start, "This test can't be opened");
  await refusedIn(new Browser(), start, "Sign in first");
  const left = await admin.browser.get(start);
  const back = await admin.browser.follow(left, callbackOf(federation.base, uid));
  // The result belongs to the browser that began it.
  await refusedIn(other.browser, back.location!, "This sign-in can't continue");
  expect(textOf(await admin.browser.get(back.location!))).toContain("The test sign-in works");
  await refusedIn(admin.browser, back.location!, "This sign-in can't continue");
  await refusedIn(admin.browser, start, "This test can't be opened");
  // Neither is a reservation of somebody else one.
  expect((await send(uid, { reservation, oidc: oidcOf() }, other)).status).toBe(400);
});

test("a draft ends after ten minutes, and its secret is nowhere as it is", async () => {
  const { uid, reservation } = await reserved();
  const { json }: { json: Wire } = await send(uid, {
    reservation,
    oidc: oidcOf({ clientSecret: "never in clear" }),
  });
  const [stored] = await federation.world.service.database.query<{ payload: string }>(
    "select payload from provider_records where kind = 'SignInTest'",
  );
  expect(stored?.payload).toContain(uid);
  expect(stored?.payload).not.toContain("never in clear");
  await after(11 * 60_000, async () =>
    expect(textOf(await admin.browser.get(json["startUri"]))).toContain("This test can't be opened"),
  );
});

test("a caller who did not sign in here has no browser to test with", async () => {
  const { owner, world, organization } = federation;
  const machine = await world.create(owner, "identities", organization, {
    name: "machine",
    ...world.claims("machine"),
  });
  await world.bind(owner, organization, machine, "owner");
  const uid = await federation.makeProvider();
  const { status, json } = await send(uid, { oidc: oidcOf() }, { token: await world.machine("machine") });
  expect([status, json.message]).toEqual([400, expect.stringContaining("signed in with a browser")]);
});

test("a reservation is for one uid, one group and one caller, for an hour", async () => {
  const { world, folder, organization } = federation;
  const body = { name: "Reserved", defaultRole: VIEWER, oidc: oidcOf() };
  const create = (parent: string, reservation: string, by: Pick<Person, "token"> = admin) =>
    world.send(by.token, "identityProviders.create", { parent, query: { reservation }, body });
  const { reservedUid: uid, reservation, redirectUri, expireTime } = await reserve();
  expect(uid).toMatch(new RegExp(`^${folder}/[0-9a-f]{16}$`));
  expect(redirectUri).toBe(federation.callback(uid));
  expect(Date.parse(expireTime) - Date.now()).toBeGreaterThan(3_500_000);
  const violation = async (answer: Promise<Wire>) => {
    const { status, json } = await answer;
    expect(status).toBe(400);
    return fieldViolations(json);
  };
  const foreign = [
    { field: "reservation", description: "must be a reservation that this service gave you for this group" },
  ];
  expect(await violation(create(organization, reservation))).toEqual(foreign);
  expect(await violation(create(folder, reservation, federation.owner))).toEqual(foreign);
  expect(await violation(create(folder, `${reservation.slice(0, -6)}AAAAAA`))).toEqual(foreign);
  expect(await violation(create(folder, admin.token))).toEqual(foreign);
  // The same caller, with a token that lives longer.
  const patient = { token: await world.service.token("owner", {}, { seconds: 100_000 }) };
  const own = (query: Record<string, string>) =>
    world.send(patient.token, "identityProviders.reserve", { parent: folder, query });
  const early: Wire = (await own({})).json;
  await after(3_700_000, async () => {
    const late = await violation(create(folder, early["reservation"], patient));
    expect(late).toEqual([{ field: "reservation", description: "has expired: reserve again" }]);
    // The uid stays, for a redirect URI that is registered already.
    const again: Wire = (await own({ reservation: early["reservation"] })).json;
    expect(again["reservedUid"]).toBe(early["reservedUid"]);
    expect((await create(folder, again["reservation"], patient)).status).toBe(200);
  });
  await after(90_100_000, async () =>
    expect((await own({ reservation: early["reservation"] })).status).toBe(400),
  );
  expect((await create(folder, reservation)).json["uid"]).toBe(uid);
  expect((await create(folder, reservation)).status).toBe(409);
});

test("the issuer is checked by what it publishes", async () => {
  const { url } = federation.issuer;
  const check = (issuer: string, scopes = "") =>
    federation.world.make(admin, "identityProviders.checkIssuer", {
      parent: federation.folder,
      query: { issuer, ...(scopes && { additionalScopes: scopes }) },
    });
  expect(await check(url)).toMatchObject({
    violations: [],
    issuer: url,
    signingKeyCount: 1,
    announcesPkce: true,
  });
  expect((await check(url, "payroll"))["notes"]).toEqual([
    expect.objectContaining({ field: "oidc.additionalScopes" }),
  ]);
  const problem = async (answer: Promise<Wire>) => (await answer)["violations"][0].description;
  const renamed = await check(`${url}/`);
  expect(renamed).toMatchObject({ issuer: url });
  expect(renamed["violations"][0].description).toBe(`must be ${url}, as its discovery document says`);
  expect(await problem(check("http://127.0.0.1:9"))).toMatch(/^http:.*can't be reached$/);
  expect(await problem(check(`${url}/nothing/here`))).toContain("answers with status 404");
  expect(await problem(check(`${federation.base}/oidc`))).toContain("other than this one");
  const document: Wire = await (await fetch(`${url}/.well-known/openid-configuration`)).json();
  const published = async (change: Wire) => {
    federation.issuer.instead.set("/.well-known/openid-configuration", { ...document, ...change });
    return check(url);
  };
  expect(await problem(published({ response_types_supported: ["id_token"] }))).toContain(
    "authorization code",
  );
  expect(await problem(published({ id_token_signing_alg_values_supported: ["HS256"] }))).toContain("HS256");
  expect(await problem(published({ jwks_uri: `${url}/none` }))).toContain("in place of signing keys");
  expect(await problem(published({ jwks_uri: undefined }))).toContain("names no jwks_uri");
  federation.issuer.instead.set("/jwks", { keys: [] });
  expect(await problem(published({}))).toContain("no key");
  federation.issuer.instead.delete("/jwks");
  const quiet = await published({ code_challenge_methods_supported: undefined });
  expect(quiet).toMatchObject({ violations: [], announcesPkce: false });
  expect(quiet["notes"][0].description).toContain("PKCE");
  federation.issuer.instead.set("/.well-known/openid-configuration", "no object");
  expect(await problem(check(url))).toContain("doesn't have a discovery document");
});

test("who may not create providers there reserves, checks and tests nothing; checks have a limit", async () => {
  const { world, owner, folder } = federation;
  const viewer = await world.holder(owner, "viewer of providers", ["identity_providers.list"], folder);
  for (const id of ["identityProviders.reserve", "identityProviders.checkIssuer"]) {
    const query = id.endsWith("Issuer") ? { issuer: federation.issuer.url } : {};
    expect((await world.send(viewer.token, id, { parent: folder, query })).status).toBe(403);
  }
  const uid = await federation.makeProvider();
  expect((await send(uid, { oidc: oidcOf() }, viewer)).status).toBe(403);
  const path = `${pathOf(endpointOf("identityProviders.checkIssuer"), { parent: folder })}?issuer=${encodeURIComponent("http://127.0.0.1:9")}`;
  const statuses = new Set<number>();
  for (let round = 0; round < 40 && !statuses.has(429); round += 1)
    statuses.add((await world.service.call("GET", path, { token: admin.token })).status);
  expect(statuses).toEqual(new Set([200, 429]));
});
