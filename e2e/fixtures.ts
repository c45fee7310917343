import { expect, type BrowserContext, type Page } from "@playwright/test";
import { randomBytes } from "node:crypto";

import type { Group } from "~/contract/iam/groups";

import { address, connect, type Api } from "./api";
import { Problems } from "./problems";
import { test as base } from "./proxied";
import { pressAgainWhereAWriteWasLost, surely, UNDER_KILLS } from "./under-kills";

export { expect };

/** Somebody who is signed in, with a browser context of their own. */
export interface Person {
  readonly email: string;
  readonly password: string;
  readonly page: Page;
  readonly context: BrowserContext;
  /** The API with a token of this person. */
  readonly api: Api;
  /** Opens a path of the console: `identities?group=...`. */
  open(path: string): Promise<void>;
}

export interface Owner extends Person {
  /** Made for this test; the person owns it. */
  readonly organization: Group;
}

interface Fixtures {
  readonly problems: Problems;
  /** Signs up one more person, in a browser context of their own, who is bound to nothing. */
  readonly signUp: () => Promise<Person>;
  /** The test's own person, signed in in `page`, with an organization. */
  readonly person: Owner;
}

/** Whether BASE_URL names a service that somebody else has started. */
export const FOREIGN = process.env["BASE_URL"] !== undefined && process.env["OWN_SERVICE"] === undefined;
export const NO_SERVICE = "needs a service of its own, and BASE_URL names another one";

/** Tags a test that restarts or configures a service: skipped, and said so, where BASE_URL names somebody else's. */
export const ownService = { tag: "@own-service" } as const;

/** Whether this is `npm run test:long`, which takes every row of a matrix. */
export const LONG = process.env["TEST_LONG"] === "1";

export const unique = (word: string): string => `${word}-${randomBytes(5).toString("hex")}`;

const PASSWORD = "correct horse battery staple";

interface Place {
  /** The base address of the console, with a trailing slash. */
  readonly at: string;
  /** Where the service itself listens, when something stands between it and the browser. */
  readonly api?: string;
}

const holdsTokens = (): boolean => Object.keys(sessionStorage).some((key) => key.endsWith(":tokens"));

/**
 * Makes an account. The browser has the provider's session then and no page yet: the first one that it opens signs in, by
 * the way that every console takes. The provider's pages have journeys of their own.
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
      // Not while the browser is still on its way by the provider.
      await page.waitForFunction(holdsTokens, undefined, { polling: 20 });
    },
  };
}

export const test = base.extend<Fixtures>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads from this pattern what a fixture needs
  baseURL: async ({}, use) => use(address()),

  problems: [
    async ({ context }, use, testInfo) => {
      testInfo.skip(FOREIGN && testInfo.tags.includes(ownService.tag), NO_SERVICE);
      const problems = new Problems();
      if (UNDER_KILLS) {
        // What Chromium writes about requests that a dead process took along, or that are too many for the one that is left.
        problems.allow(/status of (?:429|502|503) |net::ERR_INCOMPLETE_CHUNKED_ENCODING /);
        pressAgainWhereAWriteWasLost(context);
      }
      await problems.watch(context);
      await use(problems);
      expect(problems.unexpected, "errors in the browser").toEqual([]);
    },
    { auto: true },
  ],

  signUp: async ({ browser, problems }, use) => {
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      contexts.push(context);
      if (UNDER_KILLS) pressAgainWhereAWriteWasLost(context);
      await problems.watch(context);
      return register(await context.newPage());
    });
    await Promise.all(contexts.map((context) => context.close()));
  },

  person: async ({ page }, use) => {
    const person = await register(page);
    const organization = await person.api.createOrganization(unique("org"));
    await use({ ...person, organization });
  },
});
