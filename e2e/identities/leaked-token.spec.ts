import { exportJWK, generateKeyPair, type CryptoKey } from "jose";

import type { Identity } from "platform-contract/iam/identities";

import { address, type Api } from "../api";
import { bind, bindTo, identityOf } from "../bindings";
import { expect, type Owner, type Person, type SignUp, test } from "../fixtures";
import { hasNoFinding } from "../lists";
import { folder, param } from "../records";
import { exchange } from "../static-keys";

const VIEWER = "63921b2c44617e3f2603851537be0123af4a57d7";
const ISSUER = "https://keys.example";

interface Uid {
  readonly uid: string;
}

interface Keys {
  readonly secret: CryptoKey;
  readonly document: string;
}

async function keysOf(kid: string): Promise<Keys> {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const key = { ...(await exportJWK(publicKey)), alg: "ES256", kid };
  return { secret: privateKey, document: JSON.stringify({ keys: [key] }) };
}

const withKeys = (name: string, { document }: Keys) => ({
  name,
  staticKeys: {
    issuer: ISSUER,
    subject: name,
    issuerKeys: document,
    audiences: [new URL(address()).href.replace(/\/$/, "")],
  },
});

/** A token of the service for an identity, which has an id of its own. */
async function tokenOf(identity: Identity, { secret }: Keys, kid: string): Promise<string> {
  const answer = await exchange(identity, secret, kid);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { token: string }).token;
}

/** The API with a token alone. */
const withToken = (token: string) => {
  const send = async (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(address(path.slice(1)), {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const accepted = async <T = Uid>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await send(method, path, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === "" ? {} : JSON.parse(text)) as T;
  };
  return { send, accepted };
};

/** The status of a call of a person. */
const statusOf = (api: Api, method: string, path: string, body?: unknown): Promise<number> =>
  (method === "GET" ? api.get(path) : method === "PATCH" ? api.patch(path, body) : api.post(path, body)).then(
    () => 200,
    (error: unknown) => Number(/: (\d{3}) /.exec(String(error))?.[1]),
  );

interface Planted {
  /** uids of what the page has to list, by its path in the console. */
  readonly pages: readonly string[];
  /** Ways in, each with the status that it answers. */
  readonly ways: Readonly<Record<string, () => Promise<number>>>;
}

/** What was there before, for a token to change. */
interface Victims {
  readonly rule: Identity;
  readonly machine: Identity;
  readonly role: Uid;
  readonly holder: Person;
}

async function victims({ api, organization }: Owner, signUp: SignUp, name: string): Promise<Victims> {
  const at = `/iam/v2/identities/${organization.uid}`;
  const rule = await api.post<Identity>(at, withKeys(`${name} deploy`, await keysOf("before")));
  const machine = await api.post<Identity>(at, withKeys(`${name} owned`, await keysOf("owned")));
  await bindTo(api, organization, rule.uid, "viewer");
  const body = { name: `${name} reader`, capabilities: ["CAP_IAM_GROUPS_LIST"] };
  const role = await api.post<Uid>(`/iam/v2/roles/${organization.uid}`, body);
  const holder = await signUp();
  await bind(api, organization, holder, role.uid);
  return { rule, machine, role, holder };
}

/** Plants one of each kind with a token. */
async function plant(
  token: string,
  { api: owner, organization }: Owner,
  { rule, machine, role, holder }: Victims,
  signUp: SignUp,
  name: string,
): Promise<Planted> {
  const { accepted, send } = withToken(token);
  const org = organization.uid;
  const group = `/iam/v2/groups/${org}`;
  const make = (collection: string, body: object, at = org) =>
    accepted(`POST`, `/iam/v2/${collection}/${at}`, body);
  const room = await folder(owner, organization, `${name} room`);

  const keys = await keysOf("planted");
  const identity = (await make("identities", withKeys(`${name} backdoor`, keys))) as Identity;
  const ownRole = await make("roleBindings", { identityUid: identity.uid, roleUid: VIEWER });

  const changed = await keysOf("changed");
  await accepted("PATCH", `/iam/v2/identities/${rule.uid}?updateMask=staticKeys.issuerKeys`, {
    staticKeys: { issuerKeys: changed.document },
  });
  await accepted("PATCH", `/iam/v2/roles/${role.uid}?updateMask=capabilities`, {
    capabilities: ["CAP_IAM_GROUPS_LIST", "CAP_IAM_GROUPS_UPDATE"],
  });

  const accomplice = await signUp();
  const accompliceUid = await identityOf(owner, accomplice);
  const given = await make("roleBindings", { identityUid: accompliceUid, roleUid: VIEWER });

  const elevated = await signUp();
  const elevatedUid = await identityOf(owner, elevated);
  const eligible = await accepted("POST", `/access/v1/eligibleGrants/${org}`, {
    identityUid: elevatedUid,
    roleUid: VIEWER,
    maxDuration: "3600s",
  });

  const invite = (await make("groupInvites", { roleUid: VIEWER, ttl: "3600s" })) as Uid & { code: string };
  const redeemer = await signUp();
  await redeemer.api.post("/auth/v1/register", { code: invite.code });
  const latecomer = await signUp();

  const provider = await make("identityProviders", {
    name: `${name} SSO`,
    defaultRole: VIEWER,
    oidc: { issuer: "https://idp.example", clientId: name, pkceEnabled: true },
  });
  const mapping = await accepted("POST", `/iam/v2/externalGroupRoleMappings/${provider.uid}`, {
    externalGroupId: `${name} admins`,
    roleUid: VIEWER,
    scope: org,
  });
  const scim = await accepted<{ token: string; etag: string }>(
    "POST",
    `/iam/v2/identityProviders/${provider.uid}:generateScimToken`,
    {},
  );
  await accepted("POST", `/iam/v2/identityProviders/${provider.uid}:setScimEnabled`, {
    enabled: true,
    etag: scim.etag,
  });

  const custom = await make("roles", { name: `${name} custom`, capabilities: ["CAP_IAM_GROUPS_LIST"] });
  const subscription = await accepted("POST", `/events/v2/subscriptions/${org}`, {
    sink: `http://127.0.0.1:9/${name}`,
  });
  const associated = await make(
    "accountAssociations",
    { name: `${name} cloud`, amazon: { account: "123456789012" } },
    room.uid,
  );
  await accepted("PATCH", `/notices/v1/machineOwners/${machine.uid}`, {
    ownerUid: await identityOf(owner, holder),
  });

  const page = (path: string, { uid }: Uid) => `/${path}/${param(uid)}`;
  const there = (path: string) => () => statusOf(owner, "GET", path);
  const redeemed = await owner.get<{ roleBindings: Uid[] }>(
    `/iam/v2/roleBindings?identity=${await identityOf(owner, redeemer)}&uidp.children_of=${org}`,
  );
  return {
    pages: [
      page("identities", identity),
      page("role-bindings", ownRole),
      page("identities", rule),
      page("roles", role),
      page("role-bindings", given),
      page("eligible-grants", eligible),
      page("group-invites", invite),
      ...redeemed.roleBindings.map((one) => page("role-bindings", one)),
      // Itself, its mapping, and its SCIM token.
      ...Array.from({ length: 3 }, () => page("identity-providers", provider)),
      page("roles", custom),
      page("subscriptions", subscription),
      page("account-associations", associated),
      page("identities", machine),
    ],
    ways: {
      token: async () => (await send("GET", group)).status,
      "identity with keys": async () => (await exchange(identity, keys.secret, "planted")).status,
      "changed rule": async () => (await exchange(rule, changed.secret, "changed")).status,
      "widened role": () =>
        statusOf(holder.api, "PATCH", `${group}?updateMask=description`, { description: name }),
      "role of somebody": () => statusOf(accomplice.api, "GET", group),
      "redeemed invite": () => statusOf(redeemer.api, "GET", group),
      invite: () =>
        statusOf(latecomer.api, "POST", "/auth/v1/register", { code: invite.code, validateOnly: true }),
      "eligible grant": () =>
        statusOf(elevated.api, "POST", `/access/v1/eligibleGrants/${eligible.uid}:activate`, {
          duration: "3600s",
          reason: "a way back",
        }),
      directory: async () =>
        (
          await fetch(address(`scim/v2/${provider.uid}/Users`), {
            headers: { authorization: `Bearer ${scim.token}` },
          })
        ).status,
      provider: there(`/iam/v2/identityProviders/${provider.uid}`),
      mapping: there(`/iam/v2/externalGroupRoleMappings/${mapping.uid}`),
      "custom role": there(`/iam/v2/roles/${custom.uid}`),
      subscription: there(`/events/v2/subscriptions/${subscription.uid}`),
      "account association": there(`/iam/v2/accountAssociations/${associated.uid}`),
      "owner of a machine": async () => {
        const { machineOwners = [] } = await owner.get<{ machineOwners?: Uid[] }>(
          `/notices/v1/machineOwners?identity=${machine.uid}`,
        );
        return machineOwners.length > 0 ? 200 : 404;
      },
    },
  };
}

async function statusesOf({ ways }: Planted): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  // oxlint-disable-next-line no-await-in-loop -- one after the other: a caller may have two requests running
  for (const [name, way] of Object.entries(ways)) found[name] = await way();
  return found;
}

test("a leaked token: everything it planted is listed and ends, and nothing that another token of the same identity made", async ({
  person,
  signUp,
  problems,
}) => {
  const { page, api, organization, open, context } = person;
  // What is gone is asked for once more.
  problems.allow(/status of 404 /);
  const keys = await keysOf("ci");
  const ci = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, withKeys("ci", keys));
  await bindTo(api, organization, ci.uid, "owner");
  const [ofBad, ofGood] = [await victims(person, signUp, "bad"), await victims(person, signUp, "good")];
  const leaked = await tokenOf(ci, keys, "ci");
  const honest = await tokenOf(ci, keys, "ci");
  const bad = await plant(leaked, person, ofBad, signUp, "bad");
  const good = await plant(honest, person, ofGood, signUp, "good");
  const all = (planted: Planted, status: number) =>
    Object.fromEntries(Object.keys(planted.ways).map((name) => [name, status]));
  const { "eligible grant": _, ...badWays } = bad.ways;
  expect(await statusesOf({ ...bad, ways: badWays })).toEqual({ ...all({ ...bad, ways: badWays }, 200) });

  const sent: string[] = [];
  context.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await open("leaked-token");
  await page.getByRole("textbox", { name: /^Token, its claims, or its ID/ }).fill(leaked);
  await expect(
    page.getByRole("status").filter({ hasText: "The audit log tells this token from others" }),
  ).toBeVisible();
  const survivors = page.getByRole("table").filter({ has: page.getByRole("columnheader", { name: "Made" }) });
  await expect(survivors.getByRole("row")).toHaveCount(bad.pages.length + 1);
  const links = await survivors
    .getByRole("rowheader")
    .getByRole("link")
    .evaluateAll((found) => found.map((link) => link.getAttribute("href")?.replace(/[?#].*$/, "") ?? ""));
  // Of an eligible grant there is no page.
  const linked = bad.pages.filter((path) => !path.startsWith("/eligible-grants"));
  expect(links.map((link) => link.replace(/^.*(?=\/[a-z-]+\/[^/]+$)/, "")).toSorted()).toEqual(
    linked.toSorted(),
  );
  await expect(survivors).not.toContainText("good");
  await hasNoFinding(page, "main");

  // Each step is shown and can be left out; nothing has run yet.
  const steps = page.getByRole("list", { name: "Steps" });
  await expect(steps.getByRole("listitem").first()).toContainText("Remove role owner of ci");
  await steps.getByRole("checkbox", { name: "Delete event subscription http://127.0.0.1:9/bad" }).uncheck();
  const run = page.getByRole("button", { name: /^Cut it off: \d+ steps$/ });
  await page.getByRole("textbox", { name: /reason/i }).fill("Token in a public build log");
  await run.click();
  await expect(page.getByRole("heading", { name: /^Done/ })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("list", { name: "Steps" }).getByRole("listitem")).toHaveCount(1, {
    timeout: 30_000,
  });

  // The API's truth: no planted way answers 200 but the one that was left out.
  const after = await statusesOf(bad);
  expect(after["subscription"]).toBe(200);
  expect(Object.entries(after).filter(([name, status]) => status === 200 && name !== "subscription")).toEqual(
    [],
  );
  // The choice stays: nothing that was left out is done later by itself.
  await expect(page.getByRole("button", { name: "Cut it off: 0 steps" })).toBeVisible();
  await steps.getByRole("checkbox", { name: /^Delete event subscription/ }).check();
  await page.getByRole("button", { name: "Cut it off: 1 step" }).click();
  await expect
    .poll(
      async () =>
        (await statusesOf({ ...bad, ways: { subscription: bad.ways["subscription"]! } }))["subscription"],
    )
    .toBe(404);
  // What another token of the identity made stays. Its roles are gone, and an invite is worth no more than its author.
  const others = await statusesOf(good);
  expect(
    Object.entries(others)
      .filter(([, status]) => status !== 200)
      .map(([name]) => name),
  ).toEqual(["token", "invite"]);

  const { auditEntries } = await api.get<{ auditEntries: { justification?: string }[] }>(
    `/audit/v1/entries?action=identities.delete&uidp.descendants_of=${organization.uid}`,
  );
  expect(auditEntries.map(({ justification }) => justification)).toEqual(["Token in a public build log"]);
  // The token was in no request, no address and no storage.
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...sessionStorage }, { ...localStorage }, location.href]),
  );
  for (const part of leaked.split(".").slice(1))
    for (const text of [...sent, kept]) expect(text.includes(part.slice(0, 60))).toBe(false);
});
