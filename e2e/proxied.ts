import { test as base } from "@playwright/test";

import { startFaultProxy, type FaultProxy } from "./fault-proxy";
import { freePort, makeDataDirectory, removeDataDirectory, startBuiltService } from "./service";

/** A service of this worker's own, and the fault proxy before it, whose address is its PUBLIC_URL. */
export interface Proxied {
  readonly proxy: FaultProxy;
  /** Where the service itself listens. */
  readonly direct: string;
}

/** Environment of a service: `{ PAGE_TOKEN_TTL: "1" }`. */
export type ServiceVariables = Readonly<Record<string, string>>;

interface WorkerFixtures {
  readonly startProxied: (variables: ServiceVariables) => Promise<Proxied>;
}

async function start(variables: ServiceVariables): Promise<Proxied & { stop(): Promise<void> }> {
  // With PORT=0 and a PUBLIC_URL the service would not say which one it got.
  const port = await freePort();
  const direct = `http://127.0.0.1:${port}`;
  const proxy = await startFaultProxy(direct);
  const directory = await makeDataDirectory();
  const service = await startBuiltService(directory, {
    ...variables,
    PORT: String(port),
    PUBLIC_URL: proxy.url,
  });
  return {
    proxy,
    direct,
    async stop() {
      await proxy.close();
      await service.stop();
      await removeDataDirectory(directory);
    },
  };
}

/**
 * Every test is made from this one, so that Playwright goes on with the same worker, browser and services from file to
 * file: tests with other fixtures of the worker would each need a worker of their own, which takes seconds.
 */
export const test = base.extend<object, WorkerFixtures>({
  /** One for each environment, started by the first test that asks for it and kept until the worker ends. */
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
