import { format } from "@cdktn/hcl-tools";
import { expect, test } from "vitest";

import { blocksText } from "./hcl";
import { EXPORTED, written, type Records } from "./provider";
import { bodyAt, parsed, textIn } from "./testing/parsed";

const root = "a".repeat(40);
const at = (...parts: number[]) => [root, ...parts.map((part) => String(part).padStart(16, "0"))].join("/");
const viewer = "b".repeat(40);
const evil = 'x" ${var.a} %{if}\n}\u202e';

const RECORDS: Records = {
  groups: [
    { uid: root, name: "Acme", verified: true, kind: "ORG_KIND_CUSTOMER" },
    { uid: at(1), name: evil, description: evil, kind: "ORG_KIND_CUSTOMER", verified: true },
  ],
  identities: [
    {
      uid: at(1, 1),
      name: "ci",
      claimMatch: { issuer: "https://i", subjectPattern: ".*${x}", claims: { "a/b": evil } },
    },
    {
      uid: at(2),
      name: "keys",
      staticKeys: { issuer: "https://k", subject: "s", issuerKeys: '{"keys":[]}', audiences: ["only"] },
    },
    {
      uid: at(3),
      name: "aws",
      awsIdentity: { awsAccount: "123456789012", arn: "arn:x", userIdPattern: "A.*" },
    },
    {
      uid: at(12),
      name: "old",
      staticKeys: {
        issuer: "https://k",
        subject: "s",
        issuerKeys: "{}",
        expirationTime: "2026-05-01T00:00:00Z",
      },
    },
    { uid: at(4), name: "cosigned", servicePrincipal: "SERVICE_PRINCIPAL_COSIGNED" },
  ],
  roles: [{ uid: at(5), name: "pusher", capabilities: ["CAP_TAG_LIST", "CAP_REPO_LIST", "CAP_FROM_LATER"] }],
  roleBindings: [
    { uid: at(1, 6), name: "", identityUid: at(1, 1), roleUid: at(5) },
    {
      uid: at(7),
      name: "",
      identity: { uid: viewer, email: `ada@example.com\n}${evil}` },
      role: { uid: viewer, name: "viewer" },
      expirationTime: "2030-01-01T00:00:00Z",
    },
  ] as unknown as Records["roleBindings"],
  identityProviders: [
    {
      uid: at(8),
      name: "Acme SSO",
      defaultRole: viewer,
      oidc: { issuer: "https://sso", clientId: "c", additionalScopes: ["email"], groupsClaim: "groups" },
      scim: { enabled: true },
    },
  ],
  repos: [
    {
      uid: at(9),
      name: "base",
      createTime: "2026-01-01T00:00:00Z",
      catalogTier: "CATALOG_TIER_BASE",
      aliases: ["a"],
      customOverlay: { environment: { A: "b" } },
    },
    {
      uid: at(1, 10),
      name: "base",
      createTime: "2026-02-01T00:00:00Z",
      sync_config: { source: at(9), apkoOverlay: "{}", expirationTime: "2020-01-01T00:00:00Z" },
    },
  ],
  subscriptions: [
    { uid: at(11), name: "", sink: "https://hooks.example.com/x" },
  ] as unknown as Records["subscriptions"],
};
const OUTSIDE = {
  readmes: new Map([[at(9), `# Base\n${evil}`]]),
  builtIn: new Map([
    [viewer, "viewer"],
    ["c".repeat(40), "owner"],
  ]),
  address: "https://api.example.com",
  now: Date.parse("2026-06-01T00:00:00Z"),
};

const text = ({ main, kinds }: ReturnType<typeof written>) =>
  blocksText([...main, ...EXPORTED.flatMap((kind) => kinds[kind])]);

test("each record is a resource with its import block, and its values are the record's", async () => {
  const made = written(RECORDS, OUTSIDE);
  const file = text(made);
  expect(await format(file)).toBe(file);
  const read = await parsed(file);
  const ids = read.import?.map(({ id }) => id).toSorted();
  expect(ids).toEqual(
    Object.values(RECORDS)
      .flat()
      .map(({ uid }) => uid)
      .toSorted(),
  );
  const body = (uid: string) => bodyAt(read, read.import?.find(({ id }) => id === uid)?.to ?? "") as never;
  const type = (uid: string) => /^\$\{(\w+)\./.exec(read.import?.find(({ id }) => id === uid)?.to ?? "")?.[1];
  const group = type(root);

  expect(body(root)).toEqual({ name: "Acme", verified: true, kind: "CUSTOMER" });
  const folder: { name: string; description: string } = body(at(1));
  expect(folder).toEqual({
    name: expect.any(String),
    description: expect.any(String),
    parent_id: `\${${group}.acme.id}`,
  });
  expect([textIn(folder.name), textIn(folder.description)]).toEqual([evil, evil]);

  const ci: { claim_match: { claims: Record<string, string> }[] } = body(at(1, 1));
  expect(ci).toMatchObject({
    name: "ci",
    claim_match: [{ issuer: "https://i", subject_pattern: ".*$${x}" }],
  });
  expect(textIn(ci.claim_match[0]?.claims["a/b"] ?? "")).toBe(evil);
  expect(body(at(2))).toMatchObject({
    static: [{ issuer: "https://k", subject: "s", issuer_keys: '{"keys":[]}' }],
  });
  expect(body(at(3))).toMatchObject({
    aws_identity: [{ aws_account: "123456789012", aws_arn: "arn:x", aws_user_id_pattern: "A.*" }],
  });
  expect(body(at(4))).toMatchObject({ service_principal: "COSIGNED" });
  // As the provider spells capabilities; one that is not known here stays as it is.
  expect(body(at(5))).toMatchObject({ capabilities: ["CAP_FROM_LATER", "repo.list", "tag.list"] });
  expect(body(at(1, 6))).toEqual({
    group: expect.stringMatching(/\.x_var_a_if\.id\}$/),
    identity: `\${${type(at(2))}.ci.id}`,
    role: `\${${type(at(5))}.pusher.id}`,
  });
  expect(body(at(7))).toEqual({
    group: `\${${group}.acme.id}`,
    identity: viewer,
    role: `\${data.${type(at(5))}.viewer.items[0].id}`,
  });
  expect(body(at(8))).toMatchObject({
    default_role: `\${data.${type(at(5))}.viewer.items[0].id}`,
    oidc: [
      {
        issuer: "https://sso",
        client_id: "c",
        client_secret: "${var.acme_sso_client_secret}",
        additional_scopes: ["email"],
      },
    ],
  });
  expect(read.variable).toEqual({
    acme_sso_client_secret: [{ type: "${string}", sensitive: true, description: expect.any(String) }],
  });
  const base: { readme: string } = body(at(9));
  expect(base).toMatchObject({ name: "base", tier: "BASE", aliases: ["a"] });
  expect(textIn(base.readme)).toBe(`# Base\n${evil}`);
  expect(body(at(1, 10))).toMatchObject({
    name: "base",
    sync_config: [{ source: `\${${type(at(9))}.base.id}`, apko_overlay: "{}" }],
  });
  expect(JSON.stringify(body(at(1, 10)))).not.toContain("expiration");
  expect(body(at(11))).toEqual({ parent_id: `\${${group}.acme.id}`, sink: "https://hooks.example.com/x" });
  // The role that nobody refers to is left out.
  expect(Object.values(read.data ?? {}).flatMap(Object.keys)).toEqual(["viewer"]);
});

test("what the provider has no argument for is said, with the names", () => {
  expect(written(RECORDS, OUTSIDE).lacking).toEqual([
    "customOverlay of repos: base",
    `expirationTime of role bindings: ada@example.com\n}${evil}, viewer`,
    "keys of identities that have ended, which the provider refuses: old",
    "keys of identities without an end, for which the provider wants an expiration: keys",
    "oidc.groupsClaim of identity providers: Acme SSO",
    "scim of identity providers: Acme SSO",
    "staticKeys.audiences of identities: keys",
  ]);
});

test("the same records in another order are the same file", () => {
  const reversed = Object.fromEntries(
    Object.entries(RECORDS).map(([kind, rows]) => [kind, rows.toReversed()]),
  ) as unknown as Records;
  expect(text(written(reversed, OUTSIDE))).toBe(text(written(RECORDS, OUTSIDE)));
});

test("of a folder, what is above it is by its uid", async () => {
  const groups = RECORDS.groups.slice(1);
  const none = {
    identities: [],
    roles: [],
    roleBindings: [],
    identityProviders: [],
    repos: [],
    subscriptions: [],
  };
  const read = await parsed(text(written({ groups, ...none }, OUTSIDE)));
  expect(bodyAt(read, read.import?.[0]?.to ?? "")).toMatchObject({ parent_id: root });
});
