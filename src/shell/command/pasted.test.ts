import { expect, it } from "vitest";

import { readPasted } from "./pasted";

const BASE = "https://console.example/app/";
const root = "0123456789abcdef0123456789abcdef01234567";
const folder = `${root}/00112233445566aa`;
const leaf = `${folder}/8899aabbccddeeff`;
const hex = "ab".repeat(32);
const digest = `sha256:${hex}`;

const uid = (value: string) => ({ is: "uid", uid: value });
const part = (above?: string) => ({ is: "uid part", above });
const name = (value: string) => ({ is: "name", name: value });
const vulnerability = (id: string) => ({ is: "vulnerability", id });
const reference = (path: string, more: { host?: string; tag?: string; digest?: string } = {}) => ({
  is: "reference",
  reference: { host: undefined, tag: undefined, digest: undefined, path: path.split("/"), ...more },
});

it.each([
  // Uids, as found in the API, URLs, and logs.
  [root, uid(root)],
  [` ${leaf}\n`, uid(leaf)],
  [leaf.replaceAll("/", "_"), uid(leaf)],
  [leaf.toUpperCase(), uid(leaf)],
  [`"${folder}",`, uid(folder)],
  [`"uid": "${leaf}",`, uid(leaf)],
  [`https://api.example/iam/v2/identities/${leaf}`, uid(leaf)],
  [`https://elsewhere.example/repos/${leaf.replaceAll("/", "_")}?tab=access`, uid(leaf)],
  // Partial uids.
  [root.slice(0, 30), part()],
  [`${folder}/88`, part(folder)],
  [`${root}/`, part(root)],
  ["00112233445566aa/8899aabbccddeeff", part()],
  ["01234567…ccddeeff", part()],
  // URLs of this console.
  [`${BASE}repos?group=${root}`, { is: "page", path: `repos?group=${root}` }],
  [`${BASE}identities/${root}#x`, { is: "page", path: `identities/${root}` }],
  // Digests.
  [digest, { is: "digest", digest }],
  [hex.toUpperCase(), { is: "digest", digest }],
  ["sha256:abcd", { is: "digest part" }],
  ["sha256:", { is: "digest part" }],
  // Pull references.
  ["registry.example/acme/python:3.12", reference("acme/python", { host: "registry.example", tag: "3.12" })],
  ["localhost:5000/acme/python", reference("acme/python", { host: "localhost:5000" })],
  [`acme/python@${digest}`, reference("acme/python", { digest })],
  [`acme/python:3.12@${digest}`, reference("acme/python", { tag: "3.12", digest })],
  [
    "docker pull registry.example/acme/go:latest",
    reference("acme/go", { host: "registry.example", tag: "latest" }),
  ],
  ["image: acme/python:3.12", reference("acme/python", { tag: "3.12" })],
  ["FROM acme/python:3.12 AS build", reference("acme/python", { tag: "3.12" })],
  [
    "FROM --platform=$BUILDPLATFORM registry.example:5000/acme/go:1.27 AS build",
    reference("acme/go", { host: "registry.example:5000", tag: "1.27" }),
  ],
  ["docker run --rm registry.example/acme/go", reference("acme/go", { host: "registry.example" })],
  [
    `docker-pullable://registry.example/acme/go@${digest}`,
    reference("acme/go", { host: "registry.example", digest }),
  ],
  ["oci://registry.example/acme/go", reference("acme/go", { host: "registry.example" })],
  ["python:3.12-dev", reference("python", { tag: "3.12-dev" })],
  // Vulnerabilities.
  ["CVE-2026-12345", vulnerability("CVE-2026-12345")],
  ["(cve-2026-12345)", vulnerability("CVE-2026-12345")],
  ["CVE-2026-12345 in openssl", vulnerability("CVE-2026-12345")],
  ["https://nvd.nist.gov/vuln/detail/CVE-2026-12345", vulnerability("CVE-2026-12345")],
  ["ghsa-2345-CFGH-jmpq", vulnerability("GHSA-2345-cfgh-jmpq")],
  ["https://github.com/advisories/GHSA-2345-cfgh-jmpq", vulnerability("GHSA-2345-cfgh-jmpq")],
  ["GO-2024-2611", vulnerability("GO-2024-2611")],
  ["RUSTSEC-2024-0001", vulnerability("RUSTSEC-2024-0001")],
  ["CVE-2026", { is: "vulnerability part" }],
  ["ghsa-2345", { is: "vulnerability part" }],
  // A secret is neither treated as a name nor sent.
  ["eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln", { is: "token" }],
  ["Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2ln", { is: "token" }],
  // Names, and garbage that looks like one.
  ["python", name("python")],
  ["ada@example.com", name("ada@example.com")],
  ["Meridian  Freight", name("Meridian Freight")],
  ["20240101", name("20240101")],
  ["deadbeefcafe", name("deadbeefcafe")],
  ["'; DROP TABLE repos; --", name("; DROP TABLE repos; --")],
  ["\u202eevil\u202c", name("\u202eevil\u202c")],
  ["%%%", name("%%%")],
  ["", { is: "nothing" }],
  [' "" ', { is: "nothing" }],
  ["x ".repeat(200), { is: "too long" }],
])("reads %j", (typed, expected) => {
  expect(readPasted(typed, BASE)).toEqual(expected);
});

const errorOf = (text: string) => {
  const pasted = readPasted(text, BASE);
  if (pasted.is !== "error") throw new Error(`${text} is ${pasted.is}`);
  const { meaning, helps, reference: of } = pasted.error;
  return [
    meaning.split(":", 1)[0],
    helps[0],
    of && [of.host, of.path.join("/"), of.tag].filter(Boolean).join(" "),
  ];
};

it.each([
  ["denied", "Denied", "Can they do that?", undefined],
  ["denied: requested access to the resource is denied", "Denied", "Can they do that?", undefined],
  ["unauthorized: authentication required", "Unauthorized", "Test a token", undefined],
  [
    "Error response from daemon: manifest for registry.example:5000/acme/go:9.9 not found: manifest unknown: manifest unknown",
    "Manifest unknown",
    "Tags",
    "registry.example:5000 acme/go 9.9",
  ],
  [
    "Error response from daemon: pull access denied for acme/go, repository does not exist or may require 'docker login'",
    "Denied",
    "Can they do that?",
    "acme/go",
  ],
  [
    'Failed to pull image "registry.example/acme/go:1.2": rpc error: code = Unknown desc = 401 Unauthorized',
    "Unauthorized",
    "Test a token",
    "registry.example acme/go 1.2",
  ],
  [
    '{"errors":[{"code":"NAME_UNKNOWN","message":"repository name not known to registry"}]}',
    "Name unknown",
    "Repos",
    undefined,
  ],
  [
    `{"code":7,"message":"${leaf} needs tag.create"}`,
    "The API answered PERMISSION_DENIED",
    "Can they do that?",
    undefined,
  ],
  [
    '{"code":16,"message":"the token has expired"}',
    "The API answered UNAUTHENTICATED",
    "Test a token",
    undefined,
  ],
  ["toomanyrequests: slow down", "Too many requests", "Platform status", undefined],
])("explains the error %j", (text, meaning, help, image) => {
  expect(errorOf(text)).toEqual([meaning, help, image]);
});

it.each(["deniedness", "my-not-found-page", '{"code":"x"}', "{", "access denial report"])(
  "takes %j for a name, not for an error",
  (text) => {
    expect(readPasted(text, BASE)).toEqual({ is: "name", name: text });
  },
);
