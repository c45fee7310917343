import { expect, test } from "vitest";

import { ConfigError, isThisMachine, readConfig } from "./config";
import { DEMO_ISSUERS } from "./demo";

test("base addresses are kept as browsers write them, since they are compared letter by letter", () => {
  const { publicUrl, issuer, consoleUrls } = readConfig({
    PUBLIC_URL: "https://Platform.Example:443/tools//",
    CONSOLE_URLS: "https://Console.EXAMPLE, https://console.example:443/x, https://platform.example/tools/",
  });
  expect(publicUrl).toBe("https://platform.example/tools");
  expect(issuer).toBe("https://platform.example/tools/oidc");
  expect(consoleUrls).toEqual([
    "https://platform.example/tools/",
    "https://console.example/",
    "https://console.example/x/",
  ]);
});

test.each([
  ["https://console.example/?next=https://evil.example", "without query, fragment or user"],
  ["https://console.example/#x", "without query, fragment or user"],
  ["https://console.example@evil.example/", "without query, fragment or user"],
  ["javascript:alert(1)", "must be an http or https address"],
  ["https://*.console.example/", "must be one host, without a wildcard"],
  ["*", "must be an http or https address"],
  ["http://console.example/", "must be https"],
])("a console at %s is refused at start", (address, sentence) => {
  expect(() => readConfig({ CONSOLE_URLS: address })).toThrow(ConfigError);
  expect(() => readConfig({ CONSOLE_URLS: address })).toThrow(sentence);
});

test.each([
  ["https://me:secret@issuer.example", "without query, fragment or user"],
  ["https://issuer.example/?tenant=1", "without query, fragment or user"],
  ["https://*.issuer.example", "must be one host, without a wildcard"],
  ["http://issuer.example", "must be https"],
])("an issuer at %s is refused at start", (address, sentence) => {
  expect(() => readConfig({ TRUSTED_ISSUERS: address })).toThrow(ConfigError);
  expect(() => readConfig({ TRUSTED_ISSUERS: address })).toThrow(sentence);
});

test("this machine is known by all of its names", () => {
  const hosts = [
    "localhost",
    "a.localhost",
    "127.9.9.9",
    "0.0.0.0",
    "2130706433",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
  ];
  for (const host of hosts) expect(isThisMachine(`https://${host}/keys`), host).toBe(true);
  for (const host of ["issuer.example", "127.example", "128.0.0.1", "localhost.example", "[2001:db8::1]"])
    expect(isThisMachine(`https://${host}/keys`), host).toBe(false);
});

test("plain http elsewhere takes an explicit word, on loopback none", () => {
  const consoles = "http://console.example/,http://localhost:3000/";
  expect(readConfig({ CONSOLE_URLS: consoles, ALLOW_INSECURE: "1" }).consoleUrls).toHaveLength(3);
  expect(readConfig({ CONSOLE_URLS: "http://localhost:3000" }).consoleUrls).toHaveLength(2);
});

test("what is easy on one's own machine is closed once the network can reach it", () => {
  const easy = { signUp: "open", seed: "demo", loopback: true };
  const closed = { signUp: "closed", seed: "none", loopback: false };
  expect(readConfig({})).toMatchObject(easy);
  expect(readConfig({ HOST: "::1" })).toMatchObject(easy);
  expect(readConfig({ HOST: "0.0.0.0", PUBLIC_URL: "http://127.0.0.1:8080" })).toMatchObject(closed);
  expect(readConfig({ PUBLIC_URL: "https://platform.example" })).toMatchObject(closed);
});

test("the demo trusts the issuers of its identities and has a registry, beside what is asked for", () => {
  const { trustedIssuers, registryHost } = readConfig({ TRUSTED_ISSUERS: "https://ci.example" });
  expect(trustedIssuers).toEqual(["https://ci.example", ...DEMO_ISSUERS]);
  expect(registryHost).toBe("registry.meridian-freight.example");
  expect(readConfig({ REGISTRY_HOST: "r.example" }).registryHost).toBe("r.example");
  expect(readConfig({ SEED: "none" })).toMatchObject({ trustedIssuers: [], registryHost: undefined });
});
