import { afterAll, beforeAll, expect, test } from "vitest";

import { builtInRoleUid } from "../domains/access/roles.table";
import type { Answer } from "../testing/app";
import { World, type Person, type Wire } from "./world";

// A walk through the API in order: each test continues from the previous one.
const SECRET = "a secret of automation";
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let world: World;
let automation: Person;
let group: string;
let identity: Wire;
let binding: Wire;

beforeAll(async () => {
  world = await World.open({ AUTOMATION_CLIENT_SECRET: SECRET, SERVICE_DOMAIN: "acme.example" });
});
afterAll(() => world.service.stop());

const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
  world.service.call(method, path, { token: automation.token, body });

async function succeeds(method: string, path: string, body?: unknown): Promise<Wire> {
  const answer = await call(method, path, body);
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.bytes.toString()}`);
  expect(answer.headers["content-type"]).toBe("application/json");
  return answer.json;
}

test("a token by client credentials, with which an organization is made", async () => {
  const credentials = Buffer.from(`automation:${encodeURIComponent(SECRET)}`).toString("base64");
  const answer = await fetch(`${world.service.url}/oidc/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${credentials}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "grant_type=client_credentials",
  });
  const { access_token, token_type } = (await answer.json()) as Record<string, string>;
  expect([answer.status, token_type]).toEqual([200, "Bearer"]);
  const issuer = encodeURIComponent(world.service.config.issuer);
  automation = { uid: "", token: access_token! };
  const lookup = `/iam/v2/identities:lookupIdentity?issuer=${issuer}&subject=automation`;
  automation = { ...automation, uid: (await succeeds("GET", lookup))["uid"] };
  expect(automation.uid).toMatch(/^[0-9a-f]{40}$/);
  const { uid } = await succeeds("POST", "/iam/v2/groups", { name: "acme.example" });
  group = uid;
  expect(await succeeds("GET", "/ping/v2/ping")).toEqual({ response: "pong" });
});

test("an identity is created: the parent in the path, the fields in the body", async () => {
  const claimMatch = {
    issuer: "https://token.actions.example",
    subject: "repo:acme/app:ref:refs/heads/main",
  };
  const fields = { name: "ci builder", description: "Builds", claimMatch };
  identity = await succeeds("POST", `/iam/v2/identities/${group}`, fields);
  expect(identity).toEqual({
    uid: expect.stringMatching(new RegExp(`^${group}/[0-9a-f]{16}$`)),
    ...fields,
    lastSeenTime: expect.stringMatching(TIME),
    createTime: expect.stringMatching(TIME),
    updateTime: expect.stringMatching(TIME),
  });
  expect(await succeeds("GET", `/iam/v2/identities/${identity["uid"]}`)).toEqual(identity);
});

test("viewer is found by its name and bound: the answer is hydrated", async () => {
  const { roles, totalCount } = await succeeds("GET", "/iam/v2/roles?name=viewer");
  expect(totalCount).toBe("1");
  const [role] = roles;
  expect(role.uid).toBe(builtInRoleUid("viewer"));
  const { uid: identityUid, name, description, claimMatch } = identity;
  binding = await succeeds("POST", `/iam/v2/roleBindings/${group}`, { identityUid, roleUid: role.uid });
  expect(binding).toEqual({
    uid: expect.stringMatching(new RegExp(`^${group}/[0-9a-f]{16}$`)),
    identityUid,
    roleUid: role.uid,
    identity: { uid: identityUid, name, description, ...claimMatch },
    group: { uid: group, name: "acme.example" },
    role: { uid: role.uid, name: "viewer", description: "Viewer Role (built-in)" },
    createTime: expect.stringMatching(TIME),
    updateTime: expect.stringMatching(TIME),
  });
});

test("pages of five in four orders hold every identity once; skip jumps", async () => {
  for (let index = 0; index < 12; index += 1) {
    const claimMatch = { issuer: "https://token.actions.example", subject: `another ${index}` };
    await succeeds("POST", `/iam/v2/identities/${group}`, { name: `bot ${(index * 7) % 12}`, claimMatch });
  }
  const path = `/iam/v2/identities?uidp.descendants_of=${group}&page_size=5`;
  for (const order of ["", "name", "name%20desc", "created_at+desc"]) {
    const ordered = order && `&order_by=${order}`;
    const found: Wire[] = [];
    const sizes: number[] = [];
    let next = "";
    do {
      const page = await succeeds(
        "GET",
        `${path}${ordered}${next && `&page_token=${encodeURIComponent(next)}`}`,
      );
      expect([page["totalCount"], page["skipped"]]).toEqual(["13", 0]);
      sizes.push(page["identities"].length);
      found.push(...page["identities"]);
      next = page["nextPageToken"] ?? "";
    } while (next && sizes.length < 10);
    expect(sizes).toEqual([5, 5, 3]);
    const uids = found.map(({ uid }) => uid);
    expect(new Set(uids).size).toBe(13);
    const names = found.map(({ name }) => name);
    if (order === "name") expect(names).toEqual(names.toSorted());
    if (order === "name%20desc") expect(names).toEqual(names.toSorted().toReversed());
    if (order === "created_at+desc") expect(uids.at(-1)).toBe(identity["uid"]);
    const jump = await succeeds("GET", `${path}${ordered}&skip=10`);
    expect(jump["skipped"]).toBe(10);
    expect(jump["identities"].map(({ uid }: Wire) => uid)).toEqual(uids.slice(10));
  }
});

test("PATCH with a mask changes what it names, without one what the body has, with * everything", async () => {
  const path = `/iam/v2/identities/${identity["uid"]}`;
  const masked = await succeeds("PATCH", `${path}?updateMask=description`, {
    name: "ignored",
    description: "One",
  });
  expect(masked).toMatchObject({
    name: "ci builder",
    description: "One",
    claimMatch: identity["claimMatch"],
  });
  const plain = await succeeds("PATCH", path, { name: "ci runner" });
  expect(plain).toMatchObject({ name: "ci runner", description: "One", claimMatch: identity["claimMatch"] });
  expect(plain["updateTime"] > identity["updateTime"]).toBe(true);
  const { claimMatch } = identity;
  const whole = await succeeds("PATCH", `${path}?updateMask=*`, { name: "ci builder", claimMatch });
  expect(whole).not.toHaveProperty("description");
  expect(whole["createTime"]).toBe(identity["createTime"]);
});

test.each([
  ["missing", {}],
  ["not of the form", { name: "CI Builder" }],
])("the error sample of a name that is %s, to the letter", async (_words, body) => {
  const claimMatch = { issuer: "https://token.actions.example", subject: "x" };
  const answer = await call("POST", `/iam/v2/identities/${group}`, { ...body, claimMatch });
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual({
    code: 3,
    message: 'Invalid argument: name: must match "^[a-z0-9 ._-]{1,}$"',
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "INVALID_ARGUMENT",
        domain: "iam.acme.example",
      },
      {
        "@type": "type.googleapis.com/google.rpc.BadRequest",
        fieldViolations: [{ field: "name", description: 'must match "^[a-z0-9 ._-]{1,}$"' }],
      },
    ],
  });
});

test("the error sample of a group that is not empty, to the letter", async () => {
  const { uid } = await succeeds("POST", `/iam/v2/groups/${group}`, { name: "folder" });
  await succeeds("POST", `/iam/v2/groups/${uid}`, { name: "below" });
  const answer = await call("DELETE", `/iam/v2/groups/${uid}`);
  expect(answer.status).toBe(400);
  expect(answer.json).toEqual({
    code: 9,
    message: "Precondition failed: cannot delete group with child groups",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
        reason: "FAILED_PRECONDITION",
        domain: "iam.acme.example",
        metadata: { children: "groups" },
      },
      {
        "@type": "type.googleapis.com/google.rpc.PreconditionFailure",
        violations: [
          { type: "RESOURCE_NOT_EMPTY", description: "cannot delete group with child groups", subject: uid },
        ],
      },
    ],
  });
  expect((await call("GET", `/iam/v2/groups/${uid}`)).status).toBe(200);
});

test("everything is deleted in reverse order, each with an empty answer, and then is not there", async () => {
  const uids = async (collection: string): Promise<string[]> => {
    const list = await succeeds("GET", `/iam/v2/${collection}?uidp.descendants_of=${group}&page_size=200`);
    return list[collection].map(({ uid }: Wire) => uid);
  };
  const [folder, below] = (await uids("groups")).toSorted((a, b) => a.length - b.length);
  const machines = (await uids("identities")).map((uid) => `identities/${uid}`);
  const order = [`roleBindings/${binding["uid"]}`, ...machines, `groups/${below}`, `groups/${folder}`];
  for (const path of [...order, `groups/${group}`]) {
    const answer = await call("DELETE", `/iam/v2/${path}`);
    expect([path, answer.status, answer.bytes.length]).toEqual([path, 200, 0]);
    if (path === `groups/${group}`) continue;
    const gone = await call("GET", `/iam/v2/${path}`);
    expect(gone.status).toBe(404);
    expect(gone.json).toMatchObject({
      code: 5,
      details: [
        { reason: "NOT_FOUND", domain: "iam.acme.example" },
        { resourceName: path.replace(/^\w+\//, "") },
      ],
    });
  }
  // The caller's own rights were deleted with the organization: it looks as if it never existed.
  expect((await call("GET", `/iam/v2/groups/${group}`)).status).toBe(403);
  expect(await succeeds("GET", "/iam/v2/groups")).toEqual({ groups: [], totalCount: "0", skipped: 0 });
});
