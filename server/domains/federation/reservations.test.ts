import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { fieldViolations } from "platform-contract/status";

import type { Person, Wire } from "../../conformance/world";
import { Federation, VIEWER } from "../../testing/federation";

let federation: Federation;
beforeAll(async () => {
  federation = await Federation.open();
});
afterAll(() => federation.stop());

/** Does something that many milliseconds later. */
async function after<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

test("a reservation is for one uid, one group and one caller, for an hour", async () => {
  const { world, owner, folder, organization } = federation;
  const other = await world.person("other");
  await world.bind(owner, organization, other.uid, "owner");
  const body = {
    name: "Reserved",
    defaultRole: VIEWER,
    oidc: { issuer: federation.issuer.url, clientId: "x", pkceEnabled: true },
  };
  const create = (parent: string, reservation: string, by: Pick<Person, "token"> = owner) =>
    world.send(by.token, "identityProviders.create", { parent, query: { reservation }, body });
  const {
    reservedUid: uid,
    reservation,
    redirectUri,
    expireTime,
  } = await world.make(owner, "identityProviders.reserve", { parent: folder });
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
  expect(await violation(create(folder, reservation, other))).toEqual(foreign);
  expect(await violation(create(folder, `${reservation.slice(0, -6)}AAAAAA`))).toEqual(foreign);
  expect(await violation(create(folder, owner.token))).toEqual(foreign);
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
