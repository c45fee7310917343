import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { certify } from "../../../testing/authority";
import { startBuilt, type BuiltService } from "../../../testing/built-service";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) console.log("TLS of forwards: skipped, openssl is not installed");

let directory: string;
const ends: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "forward-tls-"));
});
afterAll(async () => {
  for (const end of ends.toReversed()) await end();
  await rm(directory, { recursive: true });
});

const at = (name: string): string => path.join(directory, name);
interface Sinks {
  /** What arrived, by the scheme of its target. */
  readonly got: Record<"https" | "otlp" | "syslog", string[]>;
  readonly targets: string;
}

async function openSinks(): Promise<Sinks> {
  const { key, cert } = certify(directory, "DNS:localhost");
  const got: Sinks["got"] = { https: [], otlp: [], syslog: [] };
  const https = createServer({ key, cert }, (request, response) => {
    void text(request).then((body) => {
      got[request.url === "/in" ? "https" : "otlp"].push(body);
      response.writeHead(200).end();
    });
  });
  const syslog = createTlsServer({ key, cert }, (socket) => {
    socket.on("data", (data) => got.syslog.push(String(data)));
    socket.on("error", () => {});
  });
  const listening = [https, syslog].map(
    (server) =>
      new Promise<number>((resolve) => {
        server.listen(0, "localhost", () => resolve((server.address() as AddressInfo).port));
        ends.push(async () => server.close());
      }),
  );
  const [web, log] = await Promise.all(listening);
  const targets = [
    `https://localhost:${web}/in`,
    `otlp+https://localhost:${web}/v1/logs`,
    `syslog+tls://localhost:${log}`,
  ].join(",");
  return { got, targets };
}

const forwarding = async (
  name: string,
  variables: Readonly<Record<string, string>>,
): Promise<BuiltService> => {
  const service = await startBuilt({ PORT: "0", DATA_DIR: at(name), SEED: "demo", ...variables });
  ends.push(() => service.end("SIGKILL"));
  return service;
};

test.runIf(hasOpenssl)(
  "targets with a certificate of one's own authority get entries over TLS if Node knows it, and nothing otherwise",
  async () => {
    const { got, targets } = await openSinks();
    const trusting = await forwarding("trusting", {
      AUDIT_FORWARD: targets,
      NODE_EXTRA_CA_CERTS: at("ca.pem"),
    });
    await vi.waitFor(
      () => {
        for (const received of Object.values(got)) expect(received.join("")).toContain("Meridian Freight");
      },
      { timeout: 60_000, interval: 200 },
    );
    await trusting.end("SIGTERM");
    for (const received of Object.values(got)) received.length = 0;
    const distrusting = await forwarding("distrusting", { AUDIT_FORWARD: targets });
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    expect(distrusting.alive()).toBe(true);
    expect(got).toEqual({ https: [], otlp: [], syslog: [] });
  },
  180_000,
);
