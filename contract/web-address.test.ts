import { expect, it } from "vitest";

import { subscriptions } from "./events/subscriptions";
import { identities } from "./iam/identities";
import { identityProviders } from "./iam/identity-providers";
import { terms } from "./iam/terms";
import { parseWebAddress, storedWebAddress, webAddressProblem } from "./web-address";

const HOSTILE = [
  "",
  "https:x",
  "https:/x",
  "https:///x",
  "https://",
  "//example.com/",
  "example.com",
  " https://example.com/",
  "https://example.com/ ",
  "https://exa\nmple.com/",
  "https://example.com/a\tb",
  "\u0001https://example.com/",
  "https://exam\u200bple.com/",
  "https://example.com/\u202egpj",
  "https:\\\\example.com/",
  "https://example.com\\@evil.example/",
  "https://user:password@example.com/",
  "https://user@example.com/",
  "https://@example.com/",
  "https://:80/",
  "https://example.com:65536/",
  "https://[::zz]/",
  "https://exa mple.com/",
  "https://exa%20mple.com/",
  "javascript:alert(1)",
  "data:text/html,x",
  "ftp://example.com/",
  "http://example.com/",
];

const fields: [name: string, problem: (address: string) => string | undefined][] = [
  ["a terms link", (url) => at(terms.request.safeParse({ name: "dpa.v1", label: "x", url }), "url")],
  ["a sink", (sink) => at(subscriptions.request.safeParse({ sink }), "sink")],
  [
    "a provider's issuer",
    (issuer) =>
      at(identityProviders.request.safeParse({ name: "x", oidc: { issuer, clientId: "x" } }), "issuer"),
  ],
];

type Result = { error?: { issues: { path: PropertyKey[]; message: string }[] } | undefined };
const at = ({ error }: Result, field: string): string | undefined =>
  error?.issues.find(({ path }) => path.at(-1) === field)?.message;

it.each(fields)("refuses every address that can be misread as %s", (_name, problem) => {
  for (const address of HOSTILE)
    expect([address, problem(address)]).toEqual([
      address,
      expect.stringContaining("must be an https:// address"),
    ]);
  expect(problem("https://example.com/a")).toBeUndefined();
  expect(problem("https://bücher.example/a")).toBeUndefined();
});

it("refuses the same as an identity's issuer, which can use http", () => {
  const problem = (issuer: string) =>
    at(identities.request.safeParse({ name: "x", claimMatch: { issuer, subject: "x" } }), "issuer");
  for (const address of HOSTILE.filter((one) => one !== "http://example.com/"))
    expect([address, problem(address)]).toEqual([
      address,
      expect.stringContaining("must be an http:// or https://"),
    ]);
  expect(problem("http://example.com/")).toBeUndefined();
});

it("says what is wrong", () => {
  expect(webAddressProblem("https://a b/")).toBe("without blanks, line breaks or backslashes");
  expect(webAddressProblem("https://me:secret@a/")).toBe("without a user or password");
  expect(webAddressProblem("https://a:99999/")).toBe("with a valid host");
  expect(webAddressProblem("https://a/?x", { query: false })).toBe("without a query");
  expect(webAddressProblem("https://a/#x", { fragment: false })).toBe("without a fragment");
  expect(webAddressProblem("http://localhost:5000/", { http: "loopback" })).toBeUndefined();
  expect(webAddressProblem("http://10.0.0.1/", { http: "loopback" })).toBe("");
});

it("stores what a browser reads", () => {
  expect(storedWebAddress("HTTPS://EXAMPLE.com:443")).toBe("https://example.com/");
  expect(storedWebAddress("https://0x7f.1/a/../b")).toBe("https://127.0.0.1/b");
  expect(storedWebAddress("https://bücher.example/ä")).toBe("https://xn--bcher-kva.example/%C3%A4");
  for (const address of ["https://example.com/a?b=c#d", "https://[::1]:8443/"])
    expect(parseWebAddress(address)?.href).toBe(address);
});
