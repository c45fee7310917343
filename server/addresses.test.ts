import { expect, test } from "vitest";

import { isPublic, isReachable, readPrivateHost, type PrivateHost } from "./addresses";

const SPECIAL = [
  // This network, private use, shared use, loopback, link-local.
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.0",
  "10.1.2.3",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "192.168.255.255",
  // Protocol assignments, documentation, AS112, AMT, 6to4 relays, benchmarks.
  "192.0.0.1",
  "192.0.0.8",
  "192.0.0.170",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.175.48.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  // Multicast, reserved, broadcast.
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  // Clouds' own.
  "169.254.169.254",
  "169.254.170.2",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd20:ce::254",
  "::ffff:168.63.129.16",
  "64:ff9b::a83f:8110",
  // IPv6: unspecified, loopback, link-local, site-local, unique local, multicast, discard, documentation, SRv6.
  "::",
  "::1",
  "fe80::1",
  "fe80::1%eth0",
  "febf::1",
  "fec0::1",
  "fc00::1",
  "fd00::1",
  "fdff:ffff::1",
  "ff02::1",
  "ff0e::1",
  "100::1",
  "100:0:0:1::1",
  "2001:db8::1",
  "3fff::1",
  "3fff:fff::1",
  "5f00::1",
  // IPv6 protocol assignments: Teredo, benchmarks, AMT, AS112, ORCHID, drones.
  "2001::1",
  "2001:0:a00:1::1",
  "2001:1::1",
  "2001:2::1",
  "2001:3::1",
  "2001:4:112::1",
  "2001:10::1",
  "2001:20::1",
  "2001:30::1",
  "2620:4f:8000::1",
  // IPv4 in IPv6: mapped, compatible, translated, NAT64 of everybody and of one network, 6to4.
  "::ffff:10.0.0.1",
  "::ffff:7f00:1",
  "::10.0.0.1",
  "::8.8.8.8",
  "::ffff:0:10.0.0.1",
  "64:ff9b::10.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b:1::10.0.0.1",
  "64:ff9b:1::8.8.8.8",
  "2002:a00:1::",
  "2002:7f00:1::1",
  "2002:808:808::1",
  // Never allocated, or no address.
  "4000::1",
  "8000::1",
  "e000::1",
  "",
  "not an address",
  "1.2.3.4.5",
];

test.each(SPECIAL)("%j is not on the internet", (address) => {
  expect(isPublic(address)).toBe(false);
});

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "93.184.215.14",
  "100.63.255.255",
  "100.128.0.1",
  "168.63.129.15",
  "172.15.255.255",
  "172.32.0.1",
  "192.0.1.1",
  "198.17.255.255",
  "198.20.0.1",
  "223.255.255.254",
  "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
  "2001:4860:4860::8888",
  "2a00:1450:4001:810::200e",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
])("%s is on the internet", (address) => {
  expect(isPublic(address)).toBe(true);
});

const hosts = (...texts: string[]): PrivateHost[] =>
  texts.map((text) => readPrivateHost(text) ?? expect.unreachable(text));

/** What no list of private hosts can allow. */
const NEVER = SPECIAL.filter((address) =>
  /^(?:169\.254|168\.63|100\.100|fe[89a-f]|fd00:ec2|fd20:ce)|a9fe/i.test(address),
);

test("no list allows link-local addresses or those of clouds' metadata, in whatever notation", () => {
  const all = hosts(
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "fc00::/7",
    "*.corp.example",
  );
  expect(NEVER.length).toBeGreaterThan(10);
  for (const address of [
    ...NEVER,
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "::ffff:100.100.100.200",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::a9fe:a9fe",
    "::169.254.169.254",
    "2002:a9fe:a9fe::1",
    "fe80::a9fe:a9fe%eth0",
    "fd00:ec2::23",
    "0.0.0.0",
    "::",
    "224.0.0.1",
  ])
    expect([address, isReachable(all, "idp.corp.example", address)]).toEqual([address, false]);
});

test("what is listed can be reached, and nothing beside it", () => {
  const some = hosts("idp.corp.example", "*.svc.corp.example", "10.1.0.0/16", "fd12:3456::/32", "127.0.0.2");
  const reach = (host: string, address = host) => isReachable(some, host, address);
  for (const [host, address] of [
    ["hooks.example.com", "93.184.215.14"],
    ["idp.corp.example", "10.2.0.1"],
    ["IDP.corp.example.", "fd99::1"],
    ["a.svc.corp.example", "192.168.0.1"],
    ["anything.example", "10.1.255.255"],
    ["anything.example", "::ffff:10.1.0.1"],
    ["fd12:3456::1"],
    ["127.0.0.2"],
  ] as const)
    expect([host, address, reach(host, address)]).toEqual([host, address, true]);
  for (const [host, address] of [
    ["corp.example", "10.2.0.1"],
    ["svc.corp.example", "10.2.0.1"],
    ["xidp.corp.example", "10.2.0.1"],
    ["idp.corp.example", "127.0.0.1"],
    ["anything.example", "10.2.0.1"],
    ["fd12:3457::1"],
    ["127.0.0.1"],
    ["10.0.255.255"],
  ] as const)
    expect([host, address, reach(host, address)]).toEqual([host, address, false]);
});

test("an item is a name, a suffix, an address or a network that can be allowed", () => {
  for (const text of [
    "idp",
    "idp.corp.example",
    "*.Corp.example",
    "sink:10.0.0.1",
    "issuer:fd00::/8",
    "::1",
    "100.64.0.0/10",
  ])
    expect([text, readPrivateHost(text)]).toEqual([text, expect.anything()]);
  for (const text of [
    "",
    "*",
    "https://idp.corp.example",
    "idp.corp.example:8443",
    "other:10.0.0.1",
    "8.8.8.8",
    "0.0.0.0/0",
    "::/0",
    "10.0.0.0/7",
    "10.0.0.0/33",
    "10.0.0.0/x",
    "10.1",
    "169.254.169.254",
    "169.254.0.0/16",
    "100.100.100.200",
    "fe80::/10",
    "fd00:ec2::254",
    "::ffff:10.0.0.1",
  ])
    expect([text, readPrivateHost(text)]).toEqual([text, undefined]);
});
