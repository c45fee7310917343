import { afterAll, beforeAll, expect, test } from "vitest";

import { builtInRoleUid } from "./roles.table";
import { startMailServer, type MailServer } from "../../testing/mail-server";
import { signUp } from "../../platform/oidc/testing";
import { startService, type TestService } from "../../testing/service";

const VIEWER = builtInRoleUid("viewer");
let server: MailServer;
let service: TestService;
let organization: string;
let owner: string;

beforeAll(async () => {
  server = await startMailServer();
  service = await startService({
    SIGN_UP: "open",
    SMTP_URL: server.url,
    MAIL_FROM: "console@platform.example",
    ORGANIZATION_LIMIT: "0",
  });
  owner = await service.token("owner", { name: "Olivia <b>Brandt</b>\r\nBcc: x@evil.example" });
  organization = await organize("Acme http://evil.example");
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

async function organize(name: string): Promise<string> {
  const { json } = await service.call("POST", "/iam/v2/groups", { token: owner, body: { name } });
  return String(json["uid"]);
}
const invite = (body: object, parent = organization) =>
  service.call("POST", `/iam/v2/groupInvites/${parent}`, {
    token: owner,
    body: { roleUid: VIEWER, ttl: "86400s", sendEmail: true, ...body },
  });
const stateOf = async (uid: unknown): Promise<unknown> =>
  (await service.call("GET", `/iam/v2/groupInvites/${String(uid)}`, { token: owner })).json["emailState"];

test("an invite is queued, then sent: its link works, and is nowhere in the database", async () => {
  let go: () => void = () => {};
  const gate = new Promise<void>((resolve) => (go = resolve));
  server.behave("DATA", () => gate);
  const { status, json } = await invite({ email: "guest@example.com", singleUse: true });
  expect([status, json["emailState"], json["sendEmail"]]).toEqual([200, "EMAIL_STATE_QUEUED", undefined]);
  expect(await stateOf(json["uid"])).toBe("EMAIL_STATE_QUEUED");
  const rows = await service.database.query<{ row: string }>("select m::text as row from mail_outbox m");
  expect(rows).toHaveLength(1);
  expect(rows[0]?.row).not.toContain(String(json["code"]));
  go();
  const [mail] = await server.until(1);
  await expect.poll(() => stateOf(json["uid"])).toBe("EMAIL_STATE_SENT");
  expect(mail?.to).toBe("guest@example.com");
  expect(mail?.link).toBe(`${service.url}/invite#${String(json["code"])}`);
  // Names of strangers are one line, and no link.
  expect(mail?.subject).toMatch(/^Invite to "Acme http/);
  expect(mail?.headers).not.toHaveProperty("bcc");
  expect(mail?.text.match(/https?:\/\/\S+/g)?.filter((link) => !link.startsWith(service.url))).toEqual([]);
  expect(mail?.html).not.toContain("<b>");

  const { accessToken } = await signUp(service.url, {
    email: "guest@example.com",
    password: "correct horse battery",
  });
  const joined = await service.call("POST", "/auth/v1/register", {
    token: accessToken,
    body: { code: mail?.link.split("#")[1] },
  });
  expect(joined.status).toBe(200);
});

test("an invite whose mail is refused says so; one that is revoked or for another address now is not sent", async () => {
  server.behave("RCPT", ({ to }) => (to.startsWith("gone") ? 550 : undefined));
  const gone = await invite({ email: "gone@example.com" });
  await expect.poll(() => stateOf(gone.json["uid"])).toBe("EMAIL_STATE_FAILED");
  const before = server.received.length;
  server.behave("RCPT", () => 451);
  const revoked = await invite({ email: "revoked@example.com" });
  const moved = await invite({ email: "mistyped@example.com" });
  await expect
    .poll(() => service.database.query("select 1 from mail_outbox where attempts > 0"), { timeout: 20_000 })
    .toHaveLength(2);
  await service.call("DELETE", `/iam/v2/groupInvites/${String(revoked.json["uid"])}`, { token: owner });
  await service.call("PATCH", `/iam/v2/groupInvites/${String(moved.json["uid"])}`, {
    token: owner,
    body: { email: "right@example.com" },
  });
  // Refused until then, since an attempt from before the change can be under way: they leave without being sent.
  await expect
    .poll(() => service.database.query("select 1 from mail_outbox where kind = 'invite'"), {
      timeout: 20_000,
    })
    .toEqual([]);
  server.behave("RCPT", () => {});
  expect(server.received.slice(before)).toEqual([]);
});

test("an invite without a mail has no state, and a mail needs an address", async () => {
  const { json } = await invite({ sendEmail: false, email: "quiet@example.com" });
  expect(json).not.toHaveProperty("emailState");
  for (const email of [undefined, "not,plain@example.com", "a@b"]) {
    const refused = await invite(email === undefined ? {} : { email });
    expect([refused.status, refused.json.message]).toEqual([
      400,
      expect.stringContaining("email: must be an address that mail can be sent to"),
    ]);
  }
  const change = await service.call("PATCH", `/iam/v2/groupInvites/${String(json["uid"])}`, {
    token: owner,
    body: { sendEmail: true },
  });
  expect([change.status, change.json.message]).toEqual([
    400,
    expect.stringContaining("sendEmail: can be set on creation only"),
  ]);
});

test("one address gets few, from however many organizations; nothing is created for the next", async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    const parent = await organize(`spam-${count}`);
    const answer = await invite({ email: "Victim@example.com" }, parent);
    statuses.push(answer.status);
    if (answer.status !== 429) continue;
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(3600);
    const left = await service.call("GET", `/iam/v2/groupInvites?uidp.children_of=${parent}`, {
      token: owner,
    });
    expect(left.json["groupInvites"] ?? []).toEqual([]);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
});

test("one organization can invite many, but not any number at once", async () => {
  const parent = await organize("crowd");
  expect((await invite({ email: "first@crowd.example" }, parent)).status).toBe(200);
  // As after 98 more.
  await service.database.query(
    "update mail_allowances set taken = 99.9, at = now() where key like 'organization:%' and taken < 2",
  );
  expect((await invite({ email: "last@crowd.example" }, parent)).status).toBe(429);
  await service.database.query(
    "update mail_allowances set taken = 99 where key like 'organization:%' and taken > 99",
  );
  expect((await invite({ email: "last@crowd.example" }, parent)).status).toBe(200);
  expect((await invite({ email: "next@crowd.example" }, parent)).status).toBe(429);
  // Another one is not touched.
  expect((await invite({ email: "guest@other.example" }, await organize("other"))).status).toBe(200);
});

test("without SMTP_URL the field is refused, and config.json says nothing of mail", async () => {
  const config = async ({ url }: TestService) =>
    (await fetch(`${url}/config.json`)).json() as Promise<object>;
  expect(await config(service)).toMatchObject({ mail: true });
  const plain = await startService({ SIGN_UP: "open" });
  try {
    expect(await config(plain)).not.toHaveProperty("mail");
    const token = await plain.token("owner");
    const { json } = await plain.call("POST", "/iam/v2/groups", { token, body: { name: "org" } });
    const body = { roleUid: VIEWER, ttl: "600s", email: "a@example.com", sendEmail: true };
    const answer = await plain.call("POST", `/iam/v2/groupInvites/${String(json["uid"])}`, { token, body });
    expect([answer.status, answer.json.message]).toEqual([
      400,
      expect.stringContaining("sendEmail: this service sends no mail"),
    ]);
  } finally {
    await plain.stop();
  }
});
