import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { parentOf } from "~/contract/aip";

import { address, follow } from "./api";
import { expect, test, type Owner } from "./fixtures";
import { param } from "./records";
import { makeRepo, writeReadme } from "./repos";
import { createTags, digestOf, NO_IMAGE } from "./tags";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** What depends on the colours; the rest is the same in either scheme. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

const README = `# Use it

| tag | meaning |
|---|---|
| \`1\` | [newest](https://docs.example/) |

- [x] done[^1]

![logo](https://images.example/logo.png)

\`\`\`sh
docker run ${"--option ".repeat(40)}
\`\`\`

[^1]: At the foot.
`;

async function check(page: Page, screen: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Legacy only in that no page is opened to put together what frames have found; there are none, and it takes a third of the time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
    const rules = colorScheme === "dark" ? axe.withRules(COLOUR_RULES) : axe.withTags(RULES);
    const { violations } = await rules.analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
    expect.soft(found, `${screen}, ${colorScheme}`).toEqual([]);
  }
}

/** On a phone a page scrolls in one direction only (WCAG 2.1, 1.4.10). */
async function checkNarrow(page: Page, screen: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  const beside = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(beside, { message: `${screen}, pixels beside a narrow window` }).toBe(0);
  await page.setViewportSize(size);
}

/** Uids; of the first two as they stand in an address. */
interface Made {
  readonly identity: string;
  readonly repo: string;
  readonly tag: string;
}

/** Every screen of the console, by what shows that it is there. */
const SCREENS: readonly (readonly [
  path: (owner: Owner, made: Made) => string,
  shown: (page: Page) => Promise<void>,
])[] = [
  [() => "", (page) => expect(page.getByRole("heading", { name: "Your access" })).toBeVisible()],
  [
    ({ organization }) => `groups?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "team" }).first()).toBeVisible(),
  ],
  [
    ({ organization }) => `groups/${organization.uid}`,
    (page) => expect(page.getByRole("heading", { name: "Contents" })).toBeVisible(),
  ],
  [() => "groups?drawer=create", (page) => expect(page.getByRole("dialog")).toBeVisible()],
  [
    ({ organization }) => `identities?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "ci" }).first()).toBeVisible(),
  ],
  [() => "people", (page) => expect(page.getByRole("table", { name: "People" })).toBeVisible()],
  [
    ({ organization }) => `identities?group=${organization.uid}&name=nobody`,
    (page) => expect(page.getByRole("button", { name: "Clear filter", exact: true })).toBeVisible(),
  ],
  [
    ({ organization }) => `identities?group=${organization.uid}&contains=c&seen=never`,
    (page) => expect(page.getByText("1 of 1 identity", { exact: true }).first()).toBeVisible(),
  ],
  [
    ({ organization }) => `identities?group=${organization.uid}&drawer=create`,
    (page) => expect(page.getByRole("dialog")).toBeVisible(),
  ],
  [
    (_, { identity }) => `identities/${identity}`,
    (page) => expect(page.getByRole("heading", { name: "Role bindings" })).toBeVisible(),
  ],
  [() => "tags", (page) => expect(page.getByRole("link", { name: "1.0", exact: true })).toBeVisible()],
  [
    (_, { tag }) => `tags?repo=${param(parentOf(tag))}&deprecated=yes`,
    (page) => expect(page.getByText("1 deprecated of 2 tags").first()).toBeVisible(),
  ],
  [
    (_, { tag }) => `tags?repo=${param(parentOf(tag))}&by=digest&order=version`,
    (page) => expect(page.getByRole("link", { name: "latest" })).toBeVisible(),
  ],
  [
    (_, { tag }) => `tags?repo=${param(parentOf(tag))}&drawer=create&item=${param(tag)}`,
    (page) => expect(page.getByText("1.0 already exists")).toBeVisible(),
  ],
  [
    (_, { tag }) => `tags?repo=${param(parentOf(tag))}&drawer=pull&item=${param(tag)}`,
    (page) => expect(page.getByRole("button", { name: "Copy Reference by tag" })).toBeVisible(),
  ],
  [
    (_, { tag }) => `tags/${param(tag)}`,
    (page) => expect(page.getByRole("link", { name: "latest" })).toBeVisible(),
  ],
  [
    (_, { tag }) => `tags/compare?a=${param(tag)}&b=${param(tag)}`,
    (page) => expect(page.getByText("same image")).toBeVisible(),
  ],
  [
    ({ organization }) => `repos?group=${organization.uid}`,
    (page) => expect(page.getByRole("link", { name: "web" }).first()).toBeVisible(),
  ],
  [
    (_, { repo }) => `repos/${repo}`,
    (page) => expect(page.getByRole("heading", { name: "Use it" })).toBeVisible(),
  ],
  [
    (_, { repo }) => `repos/${repo}?drawer=edit`,
    async (page) => {
      await expect(page.getByLabel("Bundles")).toBeVisible();
      await page
        .locator("[role=dialog] details")
        .evaluateAll((all) => all.forEach((part) => part.setAttribute("open", "")));
      await expect(page.getByRole("group", { name: "User 1" })).toBeVisible();
    },
  ],
  [
    (_, { repo }) => `repos/${repo}?drawer=readme`,
    async (page) => {
      await page.getByRole("button", { name: "Preview" }).click();
      await expect(page.getByRole("dialog").getByRole("heading", { name: "Use it" })).toBeVisible();
    },
  ],
  [() => "no-such-screen", (page) => expect(page.getByRole("heading", { level: 1 })).toBeVisible()],
];

/** In two halves, side by side. */
for (const half of [0, 1])
  test(`no screen has a finding of axe, light or dark, half ${half + 1}`, async ({ person, problems }) => {
    test.slow();
    const { api, organization, page } = person;
    await api.post(`/iam/v2/groups/${organization.uid}`, { name: "team" });
    const { uid } = await api.post<{ uid: string }>(`/iam/v2/identities/${organization.uid}`, {
      name: "ci",
      claimMatch: { issuer: "https://issuer.example", subject: "ci" },
    });
    problems.allow(NO_IMAGE);
    const repo = await makeRepo(person, {
      name: "web",
      catalogTier: "CATALOG_TIER_BASE",
      activeTags: ["1.27"],
      customOverlay: { environment: { LANG: "C" }, accounts: { users: [{ username: "web", uid: 1 }] } },
    });
    await writeReadme(person, repo.uid, README);
    const [tag] = await createTags(api, repo.uid, [
      { name: "1.0", digest: digestOf(1), deprecated: true },
      { name: "latest", digest: digestOf(1) },
    ]);
    const mine = SCREENS.filter((_, index) => index % 2 === half);
    for (const [index, [path, shown]] of mine.entries()) {
      const screen = path(person, { identity: param(uid), repo: param(repo.uid), tag: tag?.uid ?? "" });
      if (index === 0) await person.open(screen);
      else await follow(page, screen);
      await shown(page);
      await check(page, `/${screen}`);
      await checkNarrow(page, `/${screen}`);
    }
  });

test("neither the person's menu nor the provider's pages have a finding of axe", async ({
  person,
  browser,
  problems,
}) => {
  const { page } = person;
  await person.open("");
  await page.getByRole("button", { name: /^Who am I/ }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await check(page, "who am I");

  // The provider's pages, as somebody who is not signed in meets them.
  const context = await browser.newContext();
  await problems.watch(context);
  const stranger = await context.newPage();
  await stranger.goto(address());
  await expect(stranger.getByLabel("Password")).toBeVisible();
  await check(stranger, "sign in");
  await stranger.getByRole("link", { name: "Create an account" }).click();
  await stranger.getByRole("button", { name: "Create account" }).click();
  await check(stranger, "create an account");
  await context.close();
});
