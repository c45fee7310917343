import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

import { SCREENS } from "../accessibility-screens";
import { address, follow } from "../api";
import { expect, gate, LONG, type Owner, test } from "../fixtures";
import { oneOfEach } from "../one-of-each";
import { writeReadme } from "../repos";
import { NO_IMAGE } from "../tags";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Rules that depend on the color scheme; the other rules run in light mode only. */
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
    // Legacy mode skips opening an extra page to merge results from frames. There are none, and it takes a third of the
    // time.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
    const rules = colorScheme === "dark" ? axe.withRules(COLOUR_RULES) : axe.withTags(RULES);
    const { violations } = await rules.analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
    expect.soft(found, `${screen}, ${colorScheme}`).toEqual([]);
  }
}

/** On a phone, a page scrolls in one direction only (WCAG 2.1, 1.4.10). */
async function checkNarrow(page: Page, screen: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  const beside = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(beside, { message: `${screen}, pixels beside a narrow window` }).toBe(0);
  await page.setViewportSize(size);
}

/** The ten main screens. Only paths are compared, so no real uids are needed. */
const MAIN =
  /^(?:$|people|audit-log|tags|affected\?id=.*|repos\/|repos\/\?drawer=edit)$|^(?:groups|identities|repos)\?group=$/;
/** The rest of one resource, and lists that no journey checks by itself. */
const MORE = /^repos\/\?drawer=readme$|^group-invites\?group=$|^invite$/;
const nobody = { organization: { uid: "" } } as Owner;
const matching = (wanted: RegExp) => SCREENS.filter(([path]) => wanted.test(path(nobody, {})));

const SETS = LONG
  ? [0, 1].map((half) => ({
      name: `half ${half + 1} of all screens`,
      details: {},
      screens: SCREENS.filter((_, index) => index % 2 === half),
    }))
  : [
      { name: "the ten main screens", details: gate, screens: matching(MAIN) },
      { name: "more screens", details: {}, screens: matching(MORE) },
    ];

for (const { name, details, screens } of SETS)
  test(`no screen has a finding of axe, light or dark: ${name}`, details, async ({ person, problems }) => {
    test.slow();
    const { page } = person;
    problems.allow(NO_IMAGE);
    const made = await oneOfEach(person);
    await writeReadme(person, made["repos"] ?? "", README);
    expect(screens.length).toBeGreaterThanOrEqual(3);
    for (const [index, [path, shown]] of screens.entries()) {
      const screen = path(person, made);
      if (index === 0) await person.open(screen);
      else await follow(page, screen);
      await shown(page);
      await check(page, `/${screen}`);
      await checkNarrow(page, `/${screen}`);
    }
  });

test("neither the person's menu nor the provider's pages have a finding of axe @long", async ({
  person,
  browser,
  problems,
}) => {
  const { page } = person;
  await person.open("");
  await page.getByRole("button", { name: /^Your account/ }).click();
  await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  await check(page, "who am I");

  // The provider's pages, seen by a signed-out user.
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
