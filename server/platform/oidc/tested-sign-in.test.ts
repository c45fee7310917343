import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { fieldViolations } from "platform-contract/status";

import type { Person, Wire } from "../../conformance/world";
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
