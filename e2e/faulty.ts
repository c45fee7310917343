import type { FaultProxy } from "./fault-proxy";
import { register, signingUp, test as base, unique, type Owner, type SignUp } from "./fixtures";
import type { Proxied, ServiceVariables } from "./proxied";

export { fault } from "./fault";
export { expect, gate, LONG, ownService, unique } from "./fixtures";

export interface Faulty extends Owner {
  /** Sits between the browser and the service; `person.api` bypasses it. */
  readonly proxy: FaultProxy;
}

interface Fixtures {
  /** Set with `test.use({ serviceVariables: { PAGE_TOKEN_TTL: "1" } })` at the top of a file. */
  readonly serviceVariables: ServiceVariables;
  /** The service with these variables, with no rules set. */
  readonly proxied: Proxied;
  readonly faulty: Faulty;
  /** Like `signUp`, for a person behind the proxy. */
  readonly signUpBehind: SignUp;
}

/**
 * Tests through a fault proxy. The proxy's address is the service's PUBLIC_URL, so sign-in, cookies and addresses are
 * real. Each worker has its own and runs one test at a time; rules end with the test. Tag such tests with `ownService`.
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
    // A separate timeout from the test's: the first test of a worker starts the service.
    { timeout: 180_000 },
  ],

  faulty: async ({ page, problems, proxied: { proxy, direct } }, use) => {
    // Chromium logs failed requests, which are the point here.
    problems.allow(/^Failed to load resource/);
    const person = await register(page, { at: `${proxy.url}/`, api: direct });
    const organization = await person.api.createOrganization(unique("org"));
    // Forget the requests made during setup.
    proxy.reset();
    await use({ ...person, organization, proxy });
  },

  signUpBehind: ({ browser, problems, proxied: { proxy, direct } }, use) =>
    signingUp({ browser, problems }, use, { at: `${proxy.url}/`, api: direct }),
});
