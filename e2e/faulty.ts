import type { FaultProxy } from "./fault-proxy";
import { register, test as base, unique, type Owner } from "./fixtures";
import type { Proxied, ServiceVariables } from "./proxied";

export { fault } from "./fault";
export { expect, LONG, ownService, unique } from "./fixtures";

export interface Faulty extends Owner {
  /** Stands between the browser and the service. `person.api` goes past it. */
  readonly proxy: FaultProxy;
}

interface Fixtures {
  /** `test.use({ serviceVariables: { PAGE_TOKEN_TTL: "1" } })` at the top of a file. */
  readonly serviceVariables: ServiceVariables;
  /** The service of these variables, with no rules. */
  readonly proxied: Proxied;
  readonly faulty: Faulty;
}

/**
 * Journeys through a fault proxy: the service's PUBLIC_URL is the proxy's address, so that sign-in, cookies and
 * addresses are real. A worker has its own, and runs one test at a time; rules end with the test. Tag such tests with
 * `ownService`.
 */
export const test = base.extend<Fixtures>({
  serviceVariables: [{}, { option: true }],

  proxied: [
    async ({ startProxied, serviceVariables }, use) => {
      const proxied = await startProxied(serviceVariables);
      proxied.proxy.reset();
      await use(proxied);
      proxied.proxy.reset();
    },
    // Time of its own, beside the test's: the first of a worker starts the service.
    { timeout: 180_000 },
  ],

  faulty: async ({ page, problems, proxied: { proxy, direct } }, use) => {
    // What Chromium writes about a request that fails or is refused: here that is the point.
    problems.allow(/^Failed to load resource/);
    const person = await register(page, { at: `${proxy.url}/`, api: direct });
    const organization = await person.api.createOrganization(unique("org"));
    // What came before is none of the test's.
    proxy.reset();
    await use({ ...person, organization, proxy });
  },
});
