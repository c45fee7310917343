import { startFaultProxy, type FaultProxy } from "./fault-proxy";
import { register, test as base, unique, type Owner } from "./fixtures";
import { freePort, makeDataDirectory, removeDataDirectory, startBuiltService } from "./service";

export { fault } from "./fault";
export { expect, ownService, unique } from "./fixtures";

export interface Faulty extends Owner {
  /** Stands between the browser and the service. `person.api` goes past it. */
  readonly proxy: FaultProxy;
}

interface WorkerFixtures {
  /** Environment of the service: `test.use({ serviceVariables: { PAGE_TOKEN_TTL: "1" } })` at the top of a file. */
  readonly serviceVariables: Readonly<Record<string, string>>;
  readonly proxied: { readonly proxy: FaultProxy; readonly direct: string };
}

/**
 * Journeys through a fault proxy: the service's PUBLIC_URL is the proxy's address, so that sign-in, cookies and
 * addresses are real. Service and proxy are started once per worker, which runs one test at a time; rules end with
 * the test. Tag such tests with `ownService`.
 */
export const test = base.extend<{ readonly faulty: Faulty }, WorkerFixtures>({
  serviceVariables: [{}, { option: true, scope: "worker" }],

  proxied: [
    async ({ serviceVariables }, use) => {
      // With PORT=0 and a PUBLIC_URL the service would not say which one it got.
      const port = await freePort();
      const direct = `http://127.0.0.1:${port}`;
      const proxy = await startFaultProxy(direct);
      const directory = await makeDataDirectory();
      const variables = { ...serviceVariables, PORT: String(port), PUBLIC_URL: proxy.url };
      const service = await startBuiltService(directory, variables);
      await use({ proxy, direct });
      await proxy.close();
      await service.stop();
      await removeDataDirectory(directory);
    },
    { scope: "worker", timeout: 180_000 },
  ],

  faulty: async ({ page, problems, proxied: { proxy, direct } }, use) => {
    // What Chromium writes about a request that fails or is refused: here that is the point.
    problems.allow(/^Failed to load resource/);
    const person = await register(page, { at: `${proxy.url}/`, api: direct });
    const organization = await person.api.createOrganization(unique("org"));
    proxy.reset();
    await use({ ...person, organization, proxy });
    proxy.reset();
  },
});
