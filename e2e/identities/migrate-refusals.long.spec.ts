import type { Identity } from "platform-contract/iam/identities";

import { bind, bindTo } from "../bindings";
import { expect, fault, ownService, test, type Faulty } from "../faulty";
import { grantsOf, migrated, row } from "../migrations";

const GITHUB = "https://token.actions.githubusercontent.com";
const CREATE = { method: "POST", path: /\/iam\/v2\/identities\// };
const GRANT = { method: "POST", path: /\/iam\/v2\/roleBindings\// };
const NAMES = ["ci-0", "ci-1", "ci-2"];

/** Three identities with two roles each; returns their uids. */
async function prepared({ api, organization }: Pick<Faulty, "api" | "organization">): Promise<string[]> {
  const made: string[] = [];
  for (const name of NAMES) {
    /* oxlint-disable no-await-in-loop -- in this order */
    const claimMatch = { issuer: GITHUB, subject: `repo:acme/${name}:ref:refs/heads/main` };
    const { uid } = await api.post<Identity>(`/iam/v2/identities/${organization.uid}`, { name, claimMatch });
    await bindTo(api, organization, uid, "viewer");
    await bindTo(api, organization, uid, "editor");
    made.push(uid);
    /* oxlint-enable no-await-in-loop */
  }
  return made;
}

async function begin(faulty: Faulty) {
  const olds = await prepared(faulty);
  await faulty.open(`migrate?group=${faulty.organization.uid}`);
  return { olds, create: faulty.page.getByRole("button", { name: "Create 3 new rules" }) };
}

/** Each has one replacement, none two, and both have the same roles. */
async function expectPairs({ api, organization }: Faulty, olds: readonly string[]) {
  const made = await migrated(api, organization);
  expect(made.map(({ name }) => name)).toEqual(NAMES.map((name) => `${name}-gitlab`));
  for (const [index, old] of olds.entries()) {
    /* oxlint-disable no-await-in-loop -- three */
    expect(made[index]?.description).toBe(`Replaces identity ${old}.`);
    expect(await grantsOf(api, made[index]?.uid)).toEqual(await grantsOf(api, old));
    /* oxlint-enable no-await-in-loop */
  }
}

/** Waits for the end of the job; resumes and retries, as the panel offers. */
async function untilDone({ page }: Faulty) {
  const done = page.getByRole("region", { name: "Created 3 new rules", exact: true });
  const resume = page.getByRole("button", { name: "Resume" });
  const retry = page.getByRole("button", { name: /^Retry \d failed$/ });
  await expect(async () => {
    if (await resume.isVisible()) await resume.click();
    if (await retry.isVisible()) await retry.click();
    await expect(done).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
}

for (const [what, effect] of Object.entries({
  "a lost answer": fault.cutAfter,
  "a lost request": fault.cutBefore,
  "a busy service": fault.status(429, { retryAfter: 1 }),
}))
  for (const [of, request] of Object.entries({ "an identity": CREATE, "a grant": GRANT }))
    test(`makes no second identity despite ${what} of ${of} @long`, ownService, async ({ faulty }) => {
      const { olds, create } = await begin(faulty);
      const rule = faulty.proxy.rule(request, effect, { times: 2 });
      await create.click();
      await rule.met(2);
      await untilDone(faulty);
      await expectPairs(faulty, olds);
    });

for (const [of, request] of Object.entries({ identities: CREATE, grants: GRANT }))
  test(`continues after a reload between ${of} @long`, ownService, async ({ faulty }) => {
    const { page, proxy } = faulty;
    const { olds, create } = await begin(faulty);
    const held = proxy.rule(request, fault.none, { hold: "answer" });
    await create.click();
    await held.met(2);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    held.remove();
    await page.getByRole("button", { name: "Resume" }).click();
    await untilDone(faulty);
    await expectPairs(faulty, olds);
    // The page has read again what there is.
    await expect(page.getByText("0 identities would be created; 3 are there already.")).toBeVisible();
  });

test("says which role was refused, and completes what is half done @long", ownService, async ({ faulty }) => {
  const { page, proxy, api, organization } = faulty;
  const { olds, create } = await begin(faulty);
  // The first grant passes, the second of one identity is refused.
  const refused = proxy.rule(GRANT, fault.status(403), { times: 1 });
  await create.click();
  await refused.met();
  await expect(page.getByRole("region", { name: "Created 2 of 3 new rules" })).toBeVisible({
    timeout: 30_000,
  });
  await page.getByRole("button", { name: "Show items" }).click();
  await expect(
    page.getByText(/Created, but (viewer|editor) at .* couldn't be granted:/).first(),
  ).toBeVisible();
  expect(await migrated(api, organization)).toHaveLength(3);
  // Another day: the job is gone, the pair is known by the API.
  await page.evaluate(() => sessionStorage.clear());
  page.on("dialog", (dialog) => void dialog.accept());
  await faulty.open(`migrate?group=${organization.uid}`);
  await expect(page.getByText(/3 are there already; 1 of them lacks roles/)).toBeVisible();
  await page.getByRole("button", { name: "Add roles to 1 identity" }).click();
  await expect(page.getByRole("region", { name: "Created 1 new rule", exact: true })).toBeVisible({
    timeout: 30_000,
  });
  await expectPairs(faulty, olds);
});

test(
  "who can't grant a role is told before, and moves the rest @long",
  ownService,
  async ({ faulty, signUpBehind }) => {
    const { api, organization } = faulty;
    const [first = ""] = await prepared(faulty);
    await bindTo(api, organization, first, "owner");
    const { roles } = await api.get<{ roles: { capabilities: string[] }[] }>("/iam/v2/roles?name=editor");
    const more = [
      "IDENTITY_LIST",
      "IDENTITY_CREATE",
      "ROLE_BINDINGS_LIST",
      "ROLE_BINDINGS_CREATE",
      "ROLES_LIST",
    ];
    const capabilities = new Set([
      ...(roles[0]?.capabilities ?? []),
      ...more.map((name) => `CAP_IAM_${name}`),
    ]);
    const migrator = await signUpBehind();
    await bind(api, organization, migrator, [...capabilities]);
    const { page } = migrator;
    await migrator.open(`migrate?group=${organization.uid}`);
    await expect(
      row(page, "ci-0").getByText(
        /You can't grant owner at .*: it has \d+ capabilities that you don't have\./,
      ),
    ).toBeVisible();
    await expect(page.getByText("2 identities would be created; 1 stays as it is.")).toBeVisible();
    await page.getByRole("button", { name: "Create 2 new rules" }).click();
    await expect(page.getByRole("region", { name: "Created 2 new rules" })).toBeVisible({ timeout: 30_000 });
    const made = await migrated(api, organization);
    expect(made.map(({ name }) => name)).toEqual(["ci-1-gitlab", "ci-2-gitlab"]);
    // Who may create them may still not delete the old ones.
    await page.getByRole("link", { name: "Retire the old" }).click();
    await page.getByRole("checkbox", { name: "Retire ci-1" }).check();
    await expect(page.getByRole("button", { name: "Retire 1 identity" })).toHaveAccessibleDescription(
      /You need permission to delete identities/,
    );
  },
);
