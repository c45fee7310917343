import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { World, type Person, type Wire } from "../../conformance/world";
import { createLog } from "../../log";
import { openSignIn } from "../oidc/testing";

let world: World;
let owner: Person;
let text = "";
beforeAll(async () => {
  const log = createLog("debug", { write: (line: string) => void (text += line) });
  world = await World.open({}, log);
  owner = await world.person("owner");
});
afterAll(() => world.service.stop());

const lines = (): Wire[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Wire);

/** The line of a request, which is written after its response. */
const lineOf = (wanted: Wire): Promise<Wire> =>
  vi.waitFor(() => {
    const found = lines().findLast((line) =>
      Object.entries(wanted).every(([key, value]) => line[key] === value),
    );
    if (!found) throw new Error(`no line ${JSON.stringify(wanted)}`);
    return found;
  });

const INFO = 30;
const DEBUG = 20;

test("the line of a call has who, from where, what and about which record", async () => {
  const organization = await world.create(owner, "groups", "", { name: "logged" });
  expect(await lineOf({ operation: "groups.create" })).toMatchObject({
    level: INFO,
    actor: owner.uid,
    record: organization,
    address: "127.0.0.1",
    status: world.grpc ? "OK" : 200,
    requestId: expect.stringMatching(/./),
  });
  const stranger = await world.person("stranger");
  await world.send(stranger.token, "groups.delete", { uid: organization });
  expect(await lineOf({ operation: "groups.delete" })).toMatchObject({
    actor: stranger.uid,
    record: organization,
  });
  await world.service.call("DELETE", `/iam/v2/groups/${organization}`);
  expect(await lineOf({ method: "DELETE", status: 401 })).not.toHaveProperty("actor");
  expect(text).not.toContain(owner.token);
});

test("no line has why a change was made: the words may be about somebody", async () => {
  for (const [words, status] of [
    ["told%20in%20confidence", 200],
    ["in%20confidence%0Aon%20two%20lines", 400],
  ] as const) {
    const answer = await world.service.call("POST", "/iam/v2/groups", {
      token: owner.token,
      headers: { "change-justification": words },
      body: { name: `explained ${status}` },
    });
    expect(answer.status).toBe(status);
    await lineOf({ operation: "groups.create", requestId: answer.headers["x-request-id"] });
  }
  expect(text).not.toMatch(/confidence/);
});

test("a sign-in that failed is a line without what was typed", async () => {
  const { browser, page } = await openSignIn(world.service.url);
  await browser.submit(page.url, { email: "typed@example.com", password: "typed in haste" });
  expect(await lineOf({ action: "signIn.password" })).toMatchObject({
    level: INFO,
    reason: "NO_ACCOUNT",
    address: "127.0.0.1",
  });
  expect(text).not.toMatch(/typed@example|typed in haste/);
});

test.each(["/livez", "/readyz", "/healthz"])("%s is logged at debug", async (path) => {
  expect((await world.service.call("GET", path)).status).toBe(200);
  expect(await lineOf({ path })).toMatchObject({ level: DEBUG, status: 200 });
});
