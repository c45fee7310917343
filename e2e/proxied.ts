import { test as base } from "@playwright/test";

import { startFaultProxy, type FaultProxy } from "./fault-proxy";
import { freePort, makeDataDirectory, removeDataDirectory, startBuiltService } from "./service";

/** A service of this worker's own, and the fault proxy in front of it, whose address is its PUBLIC_URL. */
export interface Proxied {
  readonly proxy: FaultProxy;
  /** The service's own address. */
  readonly direct: string;
  /** Kills the service with `kill -9` at once, and starts it again on its data. Resolves once it serves. */
  readonly kill: () => Promise<void>;
}

/** Environment of a service: `{ PAGE_TOKEN_TTL: "1" }`. */
export type ServiceVariables = Readonly<Record<string, string>>;

interface WorkerFixtures {
  readonly startProxied: (variables: ServiceVariables) => Promise<Proxied>;
}

async function start(variables: ServiceVariables): Promise<Proxied & { stop(): Promise<void> }> {
  // With PORT=0 and a PUBLIC_URL, the service would not report its port.
  const port = await freePort();
  const direct = `http://127.0.0.1:${port}`;
  const proxy = await startFaultProxy(direct);
  const directory = await makeDataDirectory();
  const begin = () =>
    startBuiltService(directory, { ...variables, PORT: String(port), PUBLIC_URL: proxy.url });
  let service = await begin();
  return {
    proxy,
    direct,
    async kill() {
      const { process } = service;
      const gone = new Promise((resolve) => process.once("exit", resolve));
      process.kill("SIGKILL");
      await gone;
      service = await begin();
    },
    async stop() {
      await proxy.close();
      await service.stop();
      await removeDataDirectory(directory);
    },
  };
}

/**
 * All tests extend this one, so that Playwright keeps the same worker, browser and services from file to file:
 * different worker fixtures would need a new worker each, which takes seconds.
 */
export const test = base.extend<object, WorkerFixtures>({
  /** One per environment, started by the first test that needs it and kept until the worker ends. */
  startProxied: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what a fixture needs
    async ({}, use) => {
      const started = new Map<string, ReturnType<typeof start>>();
      await use((variables) => {
        const key = JSON.stringify(variables);
        const proxied = started.get(key) ?? start(variables);
        started.set(key, proxied);
        return proxied;
      });
      const services = await Promise.allSettled(started.values());
      await Promise.all(services.map((service) => service.status === "fulfilled" && service.value.stop()));
    },
    { scope: "worker", timeout: 180_000 },
  ],
});
