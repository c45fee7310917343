import { expect, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { randomBytes } from "node:crypto";

import type { Group } from "platform-contract/iam/groups";

import { address, connect, type Api } from "./api";
import { Problems } from "./problems";
import { test as base } from "./proxied";
import { pressAgainWhereAWriteWasLost, surely, UNDER_KILLS } from "./under-kills";

export { expect };

/** A signed-in person with their own browser context. */
export interface Person {
  readonly email: string;
  readonly password: string;
  readonly page: Page;
  readonly context: BrowserContext;
  /** The API with this person's token. */
  readonly api: Api;
  /** Opens a path of the console: `identities?group=...`. */
  open(path: string): Promise<void>;
}

export interface Owner extends Person {
  /** Created for this test; the person owns it. */
  readonly organization: Group;
}

/** Signs up another person, with their own browser context and no role bindings. */
export type SignUp = () => Promise<Person>;

interface Fixtures {
  readonly problems: Problems;
  readonly signUp: SignUp;
  /** The test's own person, signed in in `page`, who owns an organization. */
  readonly person: Owner;
}

/** True if BASE_URL names a service that the test run did not start. */
export const FOREIGN = process.env["BASE_URL"] !== undefined && process.env["OWN_SERVICE"] === undefined;
export const NO_SERVICE = "needs a service of its own, and BASE_URL names another one";

/** Tags a test that restarts or configures a service; it is reported as skipped if BASE_URL names a foreign one. */
export const ownService = { tag: "@own-service" } as const;

/** Tags a test that `npm test` runs: what a person's day needs. `npm run test:all` runs the others as well. */
export const gate = { tag: "@gate" } as const;

/** True in `npm run test:long`, which runs every row of a matrix. */
export const LONG = process.env["TEST_LONG"] === "1";

export const unique = (word: string): string => `${word}-${randomBytes(5).toString("hex")}`;

const PASSWORD = "correct horse battery staple";

interface Place {
  /** The base address of the console, with a trailing slash. */
  readonly at: string;
  /** The service's own address, if there is a proxy in front of it. */
  readonly api?: string;
}

const holdsTokens = (): boolean => Object.keys(sessionStorage).some((key) => key.endsWith(":tokens"));

/**
 * Creates an account, which leaves the browser with the provider's session but no page. The first page it opens signs
 * in through the usual redirect. Other tests cover the provider's pages.
 */
export async function register(page: Page, place: Place = { at: address() }): Promise<Person> {
  const { at, api: direct } = place;
  const context = page.context();
  const account = await surely(async () => {
    await context.clearCookies();
    const newcomer = { email: `${unique("person")}@journeys.example`, password: PASSWORD };
    return { ...newcomer, api: await connect(context.request, at, { direct, newcomer }) };
  });
  return {
    ...account,
    page,
    context,
    open: async (path) => {
      await page.goto(new URL(path, at).href);
      // Wait until the browser is back from the redirect through the provider.
      await page.waitForFunction(holdsTokens, undefined, { polling: 20 });
    },
  };
}

interface Signing {
  readonly browser: Browser;
  readonly problems: Problems;
}

/** What a fixture does that signs up people at a place. */
export async function signingUp(
  { browser, problems }: Signing,
  use: (signUp: SignUp) => Promise<void>,
  place?: Place,
): Promise<void> {
  const contexts: BrowserContext[] = [];
  await use(async () => {
    const context = await browser.newContext();
    contexts.push(context);
    if (UNDER_KILLS) pressAgainWhereAWriteWasLost(context);
    await problems.watch(context);
    return register(await context.newPage(), place);
  });
  await Promise.all(contexts.map((context) => context.close()));
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what a fixture needs
  baseURL: async ({}, use) => use(address()),

  problems: [
    async ({ context }, use, testInfo) => {
      testInfo.skip(FOREIGN && testInfo.tags.includes(ownService.tag), NO_SERVICE);
      const problems = new Problems();
      if (UNDER_KILLS) {
        // Chromium logs requests that died with a process, or that were too many for the remaining one.
        problems.allow(/status of (?:429|502|503) |net::ERR_INCOMPLETE_CHUNKED_ENCODING /);
        pressAgainWhereAWriteWasLost(context);
      }
      await problems.watch(context);
      await use(problems);
      expect(problems.unexpected, "errors in the browser").toEqual([]);
    },
    { auto: true },
  ],

  signUp: ({ browser, problems }, use) => signingUp({ browser, problems }, use),

  person: async ({ page }, use) => {
    const person = await register(page);
    const organization = await person.api.createOrganization(unique("org"));
    await use({ ...person, organization });
  },
});
