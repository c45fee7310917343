import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { readConfig } from "../../config";
import { sealedTexts } from "../store/keys/sealed-texts";
import type { Provider } from "../../domains/federation/identity-providers.table";
import { movableClock } from "../../testing/provider";
import { startUpstream, type UpstreamIssuer } from "../../testing/upstream";
import { createUpstream } from "./upstream-client";

let issuer: UpstreamIssuer;
beforeAll(async () => {
  issuer = await startUpstream();
});
afterAll(() => issuer.stop());

const provider = (changed = new Date()): Provider => ({
  uid: "a",
  parent: "b",
  name: "Acme SSO",
  defaultRole: "c",
  changed,
  sealed: null,
  oidc: { issuer: issuer.url, clientId: issuer.clientId, pkceEnabled: true },
});

test("a failure stands for a second, what an issuer says of itself for five minutes, unless the provider changes", async () => {
  const clock = movableClock();
  const config = readConfig({ PORT: "8080" });
  const upstream = createUpstream(config, sealedTexts(config), clock.now);
  const record = provider();
  const tokenEndpoint = async (of = record) =>
    (await upstream.clients(of))[0].serverMetadata().token_endpoint;
  const path = "/.well-known/openid-configuration";
  const told = { issuer: issuer.url, token_endpoint: `${issuer.url}/moved` };

  issuer.down = true;
  await expect(tokenEndpoint()).rejects.toThrow("can't be reached");
  issuer.down = false;
  clock.forward(0.9);
  await expect(tokenEndpoint()).rejects.toThrow("can't be reached");
  clock.forward(0.2);
  const before = await tokenEndpoint();
  expect(before).toBe(`${issuer.url}/token`);

  issuer.instead.set(path, told);
  clock.forward(299);
  expect(await tokenEndpoint()).toBe(before);
  expect(await tokenEndpoint(provider(clock.now()))).toBe(told.token_endpoint);
  clock.forward(2);
  expect(await tokenEndpoint()).toBe(told.token_endpoint);
  issuer.instead.clear();
  upstream.forget(record);
  expect(await tokenEndpoint()).toBe(before);
});

test("a lookup that fails after it was forgotten does not replace the one that followed", async () => {
  const config = readConfig({ PORT: "8080" });
  const answers: ((secret: string | undefined) => void)[] = [];
  const unseal = () => new Promise<string | undefined>((resolve) => answers.push(resolve));
  const upstream = createUpstream(config, { ...sealedTexts(config), unseal });
  const record = { ...provider(), sealed: "sealed" };

  const first = upstream.clients(record);
  upstream.forget(record);
  const second = upstream.clients(record);
  answers[1]?.("secret");
  const clients = await second;
  answers[0]?.(undefined);
  await expect(first).rejects.toThrow("is missing here");
  expect(await upstream.clients(record)).toBe(clients);
});

describe("organizations with many providers", () => {
  const organization = (digit: string, index: number, at: string): Provider => ({
    ...provider(),
    uid: `${digit.repeat(40)}/${index.toString(16).padStart(16, "0")}`,
    parent: digit.repeat(40),
    oidc: { issuer: at, clientId: "client", pkceEnabled: true },
  });

  test("if their issuers hang, they hold few requests, and others' providers are reached", async () => {
    const config = readConfig({ PORT: "8080" });
    const upstream = createUpstream(config, sealedTexts(config));
    let hanging = 0;
    const dead = createServer(() => void (hanging += 1));
    await new Promise<void>((done) => dead.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(dead.address() as AddressInfo).port}`;
    const attempts = Array.from({ length: 80 }, (_, index) =>
      upstream.clients(organization("a", index, url)).catch(() => {}),
    );
    expect(await upstream.clients(organization("b", 0, issuer.url))).toHaveLength(1);
    await vi.waitFor(() => expect(hanging).toBeGreaterThan(4));
    // One of nine places is the last that it takes.
    expect(hanging).toBeLessThanOrEqual(8);
    dead.closeAllConnections();
    await new Promise((done) => dead.close(done));
    await Promise.all(attempts);
  });

  test("what is known of another's provider is not forgotten for them", async () => {
    const config = readConfig({ PORT: "8080" });
    let looked = 0;
    const unseal = async () => {
      looked += 1;
      return undefined;
    };
    const upstream = createUpstream(config, { ...sealedTexts(config), unseal });
    const ask = (record: Provider) => upstream.clients({ ...record, sealed: "sealed" }).catch(() => {});
    const neighbour = organization("b", 0, issuer.url);
    await ask(neighbour);
    await Promise.all(Array.from({ length: 300 }, (_, index) => ask(organization("a", index, issuer.url))));
    const before = looked;
    await ask(neighbour);
    expect(looked).toBe(before);
  });
});
