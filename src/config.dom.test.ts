import { afterEach, describe, expect, it, vi } from "vitest";

import { ConfigError, loadConfig, readConfig } from "./config";

const base = "https://console.example/x/?code=1";
const oidc = { authority: "oidc", clientId: "console", scope: "openid profile" };

const complaints = (content: unknown): readonly string[] => {
  try {
    readConfig(content, base);
    return [];
  } catch (error) {
    return (error as ConfigError).lines;
  }
};

describe("config.json", () => {
  it("has its relative addresses resolved against the base, and absolute ones left alone", () => {
    expect(readConfig({ apiBaseUrl: ".", oidc }, base)).toEqual({
      baseUrl: "https://console.example/x/",
      apiBaseUrl: "https://console.example/x",
      oidc: { ...oidc, authority: "https://console.example/x/oidc", extraParams: {} },
      registryHost: undefined,
      idempotencyKeys: false,
      machineIdentities: [],
      machineClients: [],
      auditLog: false,
      eventsLog: false,
      readOnly: false,
      imagePackages: false,
      snapshotSignatures: false,
      tokenExchange: false,
      accessRequests: false,
      accessDecisions: false,
      accessReviews: false,
      guardRails: false,
      eligibleGrants: false,
      notices: false,
      retention: false,
      capabilityUse: false,
      providerSetup: false,
      changeJustifications: false,
      validateOnly: false,
      readTime: false,
      pushedGroups: false,
      registryUsage: false,
      registryImages: false,
      mail: false,
      title: "Platform Console",
      fieldMaskCase: "camel",
      trustedIssuers: undefined,
      readmeImageOrigins: [],
    });
    const far = { apiBaseUrl: "https://api.example/", oidc: { ...oidc, authority: "https://id.example/" } };
    expect(readConfig(far, base)).toMatchObject({
      apiBaseUrl: "https://api.example",
      // Compared as a string with the issuer of the tokens, so the trailing slash matters.
      oidc: { authority: "https://id.example/" },
    });
  });

  it("can have an announcement", () => {
    const announcement = { text: "Maintenance", until: "2030-01-31T18:00:00+01:00" };
    expect(readConfig({ apiBaseUrl: ".", oidc, announcement }, base).announcement).toEqual({
      text: "Maintenance",
      level: "info",
      until: Date.UTC(2030, 0, 31, 17),
    });
    const wrong = { text: "", level: "error", link: "javascript:alert(1)", until: "Saturday" };
    expect(complaints({ apiBaseUrl: ".", oidc, announcement: wrong })).toEqual([
      "announcement.text: must not be empty",
      'announcement.level: must be "info" or "warning"',
      "announcement.link: must be an http or https URL",
      "announcement.until: must be a time (RFC 3339)",
    ]);
  });

  it("is refused with every bad key named", () => {
    expect(
      complaints({
        apiBaseUrl: "ftp://api.example",
        oidc: { authority: "", clientId: 7, scope: "profile", extraParams: { audience: 1 } },
        fieldMaskCase: "kebab",
        readmeImageOrigins: ["https://images.example", "https://images.example/", "data:image/png"],
      }),
    ).toEqual([
      "apiBaseUrl: must be an http or https URL",
      "oidc.authority: must not be empty",
      "oidc.clientId: must be text",
      'oidc.scope: must contain "openid"',
      "oidc.extraParams.audience: must be text",
      'fieldMaskCase: must be "camel" or "snake"',
      "readmeImageOrigins.1: must be an origin such as https://images.example.com",
      "readmeImageOrigins.2: must be an origin such as https://images.example.com",
    ]);
    expect(complaints({ apiBaseUrl: "javascript:alert(1)", oidc })).toHaveLength(1);
    expect(complaints({})).toEqual(["apiBaseUrl: must be a URL", "oidc: must be an object"]);
    expect(complaints([])).toEqual(["The whole file: must be an object"]);
  });
});

describe("loading it", () => {
  afterEach(() => vi.unstubAllGlobals());
  const load = (answer: () => Promise<Response>): Promise<unknown> =>
    loadConfig(answer()).catch((error: unknown) => error);

  it("says what came instead of it", async () => {
    expect(await load(() => Promise.reject(new TypeError()))).toMatchObject({
      message: expect.stringMatching("couldn't be loaded"),
    });
    expect(await load(async () => new Response("", { status: 404 }))).toMatchObject({
      message: "The console's configuration is missing",
      lines: ["http://localhost:3000/config.json returned 404"],
    });
    expect(await load(async () => new Response("<!doctype html>"))).toMatchObject({
      message: expect.stringMatching("is not valid JSON"),
    });
  });

  it("needs https, since a browser without it cannot sign in", async () => {
    vi.stubGlobal("crypto", {});
    expect(await load(async () => Response.json({}))).toMatchObject({ message: "This address needs https" });
  });
});
