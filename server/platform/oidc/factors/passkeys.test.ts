import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";

import { startProvider, type Running } from "../../../testing/provider";
import { openSignIn, redeem, signUp } from "../testing";
import { addPasskey, askedIn, confirmed, Passkey, passPassword } from "./testing";

const PASSWORD = "correct horse battery";
let people = 0;
const person = () => ({ email: `passkey-${++people}@example.com`, password: PASSWORD });

let service: Running;
let origin: string;
beforeAll(async () => {
  service = await startProvider({ host: "localhost", path: "/some/where" });
  ({ origin } = new URL(service.url));
});
afterAll(() => service.close());

async function withPasskey() {
  const who = person();
  const signedIn = await signUp(service.url, who);
  const passkey = new Passkey(origin);
  const { codes } = await addPasskey(service.url, signedIn.browser, { password: PASSWORD, passkey });
  return { ...who, ...signedIn, passkey, codes, subject: decodeJwt(signedIn.accessToken).sub ?? "" };
}

const lastReason = async () => {
  const rows = await service.database.query<{ entry: string }>(
    "select entry from audit_entries order by sequence desc limit 1",
  );
  const { action, reason } = JSON.parse(rows[0]?.entry ?? "{}") as Record<string, unknown>;
  return [action, reason];
};

test("a passkey is the second factor after the password", async () => {
  const ada = await withPasskey();
  expect(ada.codes).toHaveLength(10);
  const { answer, browser, page, enter } = await passPassword(service.url, ada);
  const asked = askedIn(answer.body);
  expect(asked).toMatchObject({ rpId: "localhost", userVerification: "preferred" });
  expect(asked.allowCredentials?.map(({ id }) => id)).toEqual([ada.passkey.id.toString("base64url")]);
  const credential = ada.passkey.sign(asked, { unverified: true });
  const { idToken } = await enter(await browser.submit(`${page.url}/passkey`, { credential }));
  expect(decodeJwt(idToken)["amr"]).toEqual(["pwd", "swk", "mfa"]);
});

test("a passkey alone signs in from the sign-in page, once it has verified the person", async () => {
  const ada = await withPasskey();
  const { browser, page, request } = await openSignIn(service.url);
  expect(page.body).toContain("Sign in with a passkey");
  const asked = askedIn(page.body);
  expect(asked).toMatchObject({ userVerification: "required", allowCredentials: [] });
  const refused = await browser.submit(page.url, {
    credential: ada.passkey.sign(asked, { unverified: true }),
  });
  expect(refused.body).toContain("This passkey didn&#39;t work here.");
  expect(await lastReason()).toEqual(["signIn.passkey", "PASSKEY_REFUSED"]);
  const sent = await browser.submit(page.url, { credential: ada.passkey.sign(askedIn(refused.body)) });
  const back = await browser.follow(sent, request.redirectUri);
  const { idToken } = await redeem(service.url, browser, back.location, request);
  expect(decodeJwt(idToken)).toMatchObject({ sub: ada.subject, amr: ["swk", "user", "mfa"] });
});

test.each([
  ["of another site", { origin: "https://evil.example" }],
  ["of another port of the host", { origin: "http://localhost:1" }],
  ["for another relying party", { host: "evil.example" }],
  ["with another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
  ["that names another account", { userHandle: Buffer.from("somebody").toString("base64url") }],
])("a signature %s is refused", async (_name, differently) => {
  const ada = await withPasskey();
  const { browser, page } = await openSignIn(service.url);
  const credential = ada.passkey.sign(askedIn(page.body), differently);
  const answer = await browser.submit(page.url, { credential });
  expect([answer.status, answer.location]).toEqual([200, undefined]);
  expect(answer.body).toContain("This passkey didn&#39;t work here.");
});

test("a challenge is for one use, one sign-in and one purpose", async () => {
  const ada = await withPasskey();
  const first = await openSignIn(service.url);
  const asked = askedIn(first.page.body);
  const credential = ada.passkey.sign(asked);
  // In another sign-in.
  const second = await openSignIn(service.url);
  expect((await second.browser.submit(second.page.url, { credential })).status).toBe(200);
  // As a second factor.
  const third = await passPassword(service.url, ada);
  expect((await third.browser.submit(`${third.page.url}/passkey`, { credential })).status).toBe(200);
  // The same twice: garbage uses it up as well.
  expect((await first.browser.submit(first.page.url, { credential: "{" })).status).toBe(200);
  expect((await first.browser.submit(first.page.url, { credential })).status).toBe(200);
  const fourth = await openSignIn(service.url);
  const right = ada.passkey.sign(askedIn(fourth.page.body));
  const both = await Promise.all(
    [1, 2].map(() => fourth.browser.submit(fourth.page.url, { credential: right })),
  );
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 303]);
});

test("after a password only a passkey of that account helps", async () => {
  const [ada, bob] = [await withPasskey(), await withPasskey()];
  const { browser, page, answer } = await passPassword(service.url, ada);
  const credential = bob.passkey.sign(askedIn(answer.body));
  const refused = await browser.submit(`${page.url}/passkey`, { credential });
  expect(refused.body).toContain("This passkey didn&#39;t work here.");
  expect(await lastReason()).toEqual(["signIn.passwordPasskey", "PASSKEY_REFUSED"]);
  const mine = ada.passkey.sign(askedIn(refused.body));
  expect((await browser.submit(`${page.url}/passkey`, { credential: mine })).status).toBe(303);
});

test("a counter that goes back, or stays, is a copy", async () => {
  const ada = await withPasskey();
  const sign = async (counter: number) => {
    const { browser, page } = await openSignIn(service.url);
    const credential = ada.passkey.sign(askedIn(page.body), { counter });
    return (await browser.submit(page.url, { credential })).status;
  };
  expect([await sign(0), await sign(7), await sign(7), await sign(6), await sign(0), await sign(8)]).toEqual([
    303, 303, 200, 200, 200, 303,
  ]);
});

test("a new passkey is refused for another site or with an old challenge, and is nobody's twice", async () => {
  const [ada, bob] = [await withPasskey(), await withPasskey()];
  const at = `${service.url}/oidc/account/security/add-passkey`;
  const add = async (who: typeof ada, make: (asked: ReturnType<typeof askedIn>) => string) => {
    const page = await confirmed(who.browser, at, PASSWORD);
    return who.browser.submit(at, { name: "Key", credential: make(askedIn(page.body)) });
  };
  const key = new Passkey(origin);
  const wrong = [
    await add(ada, (asked) => key.create(asked, { origin: "https://evil.example" })),
    await add(ada, (asked) => key.create(asked, { host: "evil.example" })),
    await add(ada, (asked) => key.create(asked, { challenge: "AAAA" })),
    await add(ada, () => "null"),
  ];
  for (const { body } of wrong) expect(body).toContain("The passkey wasn&#39;t added.");
  const unnamed = await ada.browser.submit(at, { name: "", credential: "{}" });
  expect(unnamed.body).toContain("Enter a name.");
  expect((await add(ada, (asked) => key.create(asked))).status).toBe(303);
  const taken = await add(bob, (asked) => key.create(asked));
  expect(taken.body).toContain("This passkey is registered already.");
});

test("a passkey of an earlier host does not work, and recovery codes do", async () => {
  const ada = await withPasskey();
  await service.database.query("update passkeys set host = 'old.example' where subject = $1", [ada.subject]);
  const { browser, answer, page } = await passPassword(service.url, ada);
  expect(answer.body).not.toContain("data-ask");
  expect(answer.body).toContain("Your second factors don't work at this address.");
  const sent = await browser.submit(`${page.url}/recovery-code`, { code: ada.codes[0] ?? "" });
  expect(sent.status).toBe(303);
  const overview = await ada.browser.get(`${service.url}/oidc/account/security`);
  expect(overview.body).toContain("earlier address");
});

test("an address without a name has no passkeys", async () => {
  const plain = await startProvider({ database: service.database });
  try {
    const { page, browser } = await openSignIn(plain.url);
    expect(page.body).not.toMatch(/data-ask|passkeys-/);
    expect((await browser.submit(page.url, { credential: "{}" })).status).toBe(200);
    const bob = await signUp(plain.url, person());
    const at = `${plain.url}/oidc/account/security`;
    const overview = (await bob.browser.get(at)).body;
    expect(overview).not.toContain("Add a passkey");
    expect(overview).toContain("No passkeys here: browsers have them only at https addresses");
    const refused = await confirmed(bob.browser, `${at}/add-passkey`, PASSWORD);
    expect([refused.status, refused.body]).toEqual([404, expect.stringContaining("No passkeys here")]);
  } finally {
    await plain.close();
  }
});
