import { expect, test } from "vitest";

import { subscriptions } from "platform-contract/events/subscriptions";

import { violationsOf } from "platform-contract/violations";
import { readPrivateHost, type PrivateHost } from "./addresses";
import { sinkProblem } from "./sinks";

const away = { fetchAnywhere: false, sinkHosts: [] as string[], privateHosts: [] as PrivateHost[] };

/** The message that a caller gets, from the contract or from the service. */
const problem = async (sink: string, config = away): Promise<string | undefined> =>
  violationsOf(subscriptions.request, { sink })[0]?.description ?? (await sinkProblem(config, sink));

test("refuses a private host in letters beyond ASCII from a warm service too", async () => {
  const plain = { fetchAnywhere: false, sinkHosts: [], privateHosts: [] };
  // Node 20.20's URL.canParse() takes such hosts for invalid once its caller is optimized.
  const hosts = ["https://127.0.0.1/hook", "https://\u00b927.0.0.1/hook"];
  const found = new Set<string | undefined>();
  for (let tried = 0; tried < 50_000; tried++) found.add(await sinkProblem(plain, hosts[tried % 2] ?? ""));
  expect([...found]).toEqual(["must be an https:// address on the internet"]);
});

test.each([
  // Not https, or not just an address.
  "http://example.com/hook",
  "http://127.0.0.1:8080/",
  "ftp://example.com/",
  "javascript:alert(1)",
  "//example.com/",
  "https://user:secret@example.com/",
  "https://user@example.com/",
  "https://example.com@127.0.0.1/",
  "https://example.com\\@127.0.0.1/",
  "https://example.com/#fragment",
  "https://exa mple.com/",
  "https://",
  "https:///path",
  "https://[::zz]/",
  // Private networks, this machine and reserved ranges, in all notations.
  "https://127.0.0.1/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0177.0.0.1/",
  "https://0x7f.1/",
  "https://127%2e0.0.1/",
  "https://①②⑦.0.0.1/",
  "https://0.0.0.0/",
  "https://10.1.2.3/",
  "https://172.31.255.255/",
  "https://192.168.0.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://100.64.0.1/",
  "https://198.18.0.1/",
  "https://192.0.2.1/",
  "https://224.0.0.1/",
  "https://255.255.255.255/",
  "https://[::1]/",
  "https://[::]/",
  "https://[fe80::1]/",
  "https://[fd12:3456::1]/",
  "https://[::ffff:10.0.0.1]/",
  "https://[::ffff:a00:1]/",
  "https://[::10.0.0.1]/",
  "https://[64:ff9b::10.0.0.1]/",
  "https://[64:ff9b:1::10.0.0.1]/",
  "https://[2002:a00:1::]/",
  "https://[2001:db8::1]/",
  "https://[fec0::1]/",
  "https://[ff02::1]/",
  // Names of this machine and its network.
  "https://localhost/",
  "https://LOCALHOST./",
  "https://service.localhost/",
  "https://printer.local/",
  "https://metadata.google.internal/",
  "https://database/",
  "https://router.lan/",
  "https://nas.home.arpa/",
  // Ports of other protocols.
  "https://example.com:22/",
  "https://example.com:25/",
  "https://example.com:0/",
  "https://example.com:80/",
  "https://example.com:65536/",
])("events are not sent to %s", async (sink) => {
  expect(await problem(sink)).toMatch(/^must (?:be an https:\/\/ address|use port)/);
});

test.each([
  "https://93.184.215.14/",
  "https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]:8443/a?b=c",
  "https://93.184.215.14:443/",
])("events are sent to %s", async (sink) => {
  expect(await problem(sink)).toBeUndefined();
});

test("a service of this machine sends them to this machine too, and to any port of it", async () => {
  for (const sink of [
    "http://localhost:5000/",
    "http://[::1]:22/",
    "https://10.0.0.1/",
    "https://nobody.example/",
  ])
    expect([sink, await problem(sink, { ...away, fetchAnywhere: true })]).toEqual([sink, undefined]);
  expect(await problem("http://10.0.0.1/", { ...away, fetchAnywhere: true })).toMatch(/^must be/);
});

test("a name is resolved: none of its addresses may be private, and it must have one", async () => {
  const sink = "https://hooks.example.com/";
  const found = (addresses: string[]) =>
    sinkProblem(away, sink, () =>
      Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))),
    );
  const fails = (code: string) =>
    sinkProblem(away, sink, () => Promise.reject(Object.assign(new Error(code), { code })));
  expect(await found(["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"])).toBeUndefined();
  const [mixed, unknown] = [await found(["93.184.215.14", "10.0.0.1"]), await fails("ENOTFOUND")];
  expect(mixed).toBe("must be an https:// address on the internet");
  expect(unknown).toBe(mixed);
  // Unknown for now: checked again on delivery.
  expect(await fails("EAI_AGAIN")).toBeUndefined();
});

test("an allow list leaves out every other host, also where any address is allowed", async () => {
  const listed = {
    fetchAnywhere: true,
    sinkHosts: ["hooks.example.com", "*.corp.example"],
    privateHosts: [],
  };
  for (const host of ["hooks.example.com", "HOOKS.example.com.", "a.corp.example", "a.b.corp.example"])
    expect([host, await sinkProblem(listed, `https://${host}/`)]).toEqual([host, undefined]);
  for (const host of ["example.com", "x.hooks.example.com", "corp.example", "evilcorp.example", "127.0.0.1"])
    expect([host, await sinkProblem(listed, `https://${host}/`)]).toEqual([
      host,
      "must be on a host that this service is allowed to send events to",
    ]);
});

test("private hosts for sinks are allowed, https only, and others are told that there are some", async () => {
  const privateHosts = ["sink:*.corp.example", "issuer:idp.example", "10.1.0.0/16"].map(
    (text) => readPrivateHost(text) ?? expect.unreachable(),
  );
  const told = (sink: string, ...found: string[]) =>
    sinkProblem({ ...away, privateHosts }, sink, () =>
      Promise.resolve(found.map((address) => ({ address, family: 4 }))),
    );
  const rule =
    "must be an https:// address on the internet, or one of those in the private network that this service may reach";
  expect(await told("https://hooks.corp.example/", "10.2.0.1")).toBeUndefined();
  expect(await told("https://10.1.0.1/")).toBeUndefined();
  expect(await told("https://hooks.internal/", "10.1.0.1")).toBeUndefined();
  expect(await told("http://hooks.corp.example/", "10.2.0.1")).toBe(rule);
  expect(await told("https://hooks.corp.example/", "169.254.169.254")).toBe(rule);
  expect(await told("https://idp.example/", "10.2.0.1")).toBe(rule);
  expect(await told("https://10.2.0.1/")).toBe(rule);
});
