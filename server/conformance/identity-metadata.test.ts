import { afterAll, beforeAll, expect, test } from "vitest";

import { GrpcClient } from "../testing/grpc";
import { fieldsOf, World, type Person, type Wire } from "./world";

let world: World;
let ada: Person;

beforeAll(async () => {
  world = await World.open();
  ada = await world.person("ada");
});
afterAll(() => world.service.stop());

const send = (body: Wire, by = ada) => world.send(by.token, "identities.updateIdentityMetadata", { body });
const update = async (identityMetadata: Wire, updateMask?: string): Promise<Wire> => {
  const answer = await send({ identityMetadata, ...(updateMask !== undefined && { updateMask }) });
  if (answer.status !== 200) throw new Error(answer.bytes.toString());
  const { uid, name, givenName, ...rest } = answer.json as Wire;
  expect({ uid, name, givenName }).toEqual({ uid: ada.uid, name: "ada", givenName: "ada" });
  return rest;
};

test("people change what they say about themselves by the laws of masks, and others see the company alone", async () => {
  expect(await update({})).toEqual({});
  expect(await update({ company: "Acme", jobTitle: "Engineer", updatesOptIn: false })).toEqual({
    company: "Acme",
    jobTitle: "Engineer",
    updatesOptIn: false,
  });
  expect(await update({ company: "Ignored", jobTitle: "Lead" }, "jobTitle")).toMatchObject({
    company: "Acme",
  });
  expect(await update({}, "job_title")).toEqual({ company: "Acme", updatesOptIn: false });
  // Not stored.
  expect(await update({ hubspotUtk: "x", product: "Images" })).toMatchObject({ product: "Images" });
  expect(await update({})).toEqual({ company: "Acme", updatesOptIn: false, product: "Images" });
  const record = await world.make(ada, "identities.get", { uid: ada.uid });
  expect(record["company"]).toBe("Acme");
  expect(record).not.toHaveProperty("product");
  expect(await update({ company: "Umbrella" }, "*")).toEqual({ company: "Umbrella" });
  // What only the service sets is ignored.
  expect(await update({ uid: "0".repeat(40), name: "root" })).toEqual({ company: "Umbrella" });
});

test("unknown fields and wrong values are refused, each by its name", async () => {
  for (const [body, field] of [
    [{ identityMetadata: { nothing: 1 } }, "identityMetadata.nothing"],
    [{ identityMetadata: { company: 7 } }, "identityMetadata.company"],
    [{ identityMetadata: { selfServe: "yes" } }, "identityMetadata.selfServe"],
    [{ identityMetadata: { company: "x" }, updateMask: "nothing" }, "updateMask"],
    [{ identityMetadata: "x" }, "identityMetadata"],
  ] as const)
    expect(fieldsOf(await world.unchanged(() => send(body)))).toEqual([field]);
});

test("a mask over gRPC counts, and machines have no metadata", async () => {
  const grpc = new GrpcClient(world.service.url);
  const request = {
    identityMetadata: { company: "No", product: "Libraries" },
    updateMask: { paths: ["product"] },
  };
  const { message } = await grpc.call("iam.v2.IdentitiesService/UpdateIdentityMetadata", request, {
    token: ada.token,
  });
  grpc.close();
  expect(message).toMatchObject({ company: "Umbrella", product: "Libraries", uid: ada.uid });
  const token = await world.machine("bot");
  expect((await send({}, { uid: "", token })).status).toBe(404);
});
