import { bind } from "../bindings";
import { expect, fault, ownService, test, type Faulty } from "../faulty";
import { countRefused, exhaust } from "../rate-limit";

const CREATE = { method: "POST", path: /\/iam\/v2\/identities\// };
const NAMES = ["ci-0", "ci-1", "ci-2", "ci-3"];

/** Four rows, up to the button that creates them. */
async function prepared({ page, organization, open }: Faulty) {
  await open(`import?group=${organization.uid}&kind=identities`);
  const rows = NAMES.map((name) => `${name},https://token.example,${name}`);
  await page.getByLabel("Or paste it here").fill(["name,issuer,subject", ...rows].join("\n"));
  await page.getByRole("button", { name: "Preview" }).click();
  await page.getByRole("button", { name: "Dry run" }).click();
  return page.getByRole("button", { name: "Create 4 identities" });
}

/** Every one was created, and none twice. */
async function expectAll({ page, api, organization }: Faulty) {
  await expect(page.getByRole("region", { name: "Created 4 identities" })).toBeVisible({ timeout: 45_000 });
  const { identities } = await api.get<{ identities: { name: string }[] }>(
    `/iam/v2/identities?uidp.children_of=${organization.uid}&order_by=name`,
  );
  expect(identities.map(({ name }) => name)).toEqual(NAMES);
}

for (const [what, effect] of Object.entries({
  "a lost answer": fault.cutAfter,
  "a lost request": fault.cutBefore,
  "a busy service": fault.status(429, { retryAfter: 1 }),
}))
  test(`an import makes each record once despite ${what} @long`, ownService, async ({ faulty }) => {
    const create = await prepared(faulty);
    const rule = faulty.proxy.rule(CREATE, effect, { times: 2 });
    await create.click();
    await rule.met(2);
    await expectAll(faulty);
  });

test(
  "an import continues after a reload, and makes each record once @long",
  ownService,
  async ({ faulty }) => {
    const { page, proxy } = faulty;
    const create = await prepared(faulty);
    const held = proxy.rule(CREATE, fault.none, { hold: "answer" });
    await create.click();
    await held.met(2);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    held.remove();
    await page.getByRole("button", { name: "Resume" }).click();
    await expectAll(faulty);
  },
);

test("what the service refuses is told row by row @long", ownService, async ({ faulty }) => {
  const { page, proxy } = faulty;
  const create = await prepared(faulty);
  const one = { ...CREATE, when: ({ body }: { readonly body: string }) => body.includes("ci-2") };
  proxy.rule(one, fault.status(403));
  await create.click();
  await expect(page.getByRole("region", { name: "Created 3 of 4 identities" })).toBeVisible({
    timeout: 30_000,
  });
  await page.getByRole("button", { name: "Show items" }).click();
  await expect(page.getByText("1: The fault proxy says 403.")).toBeVisible();
});

test(
  "who may create identities and not view them is told what isn't known @long",
  ownService,
  async ({ faulty, signUpBehind }) => {
    const { api, organization } = faulty;
    const subject = "ci-0";
    await api.post(`/iam/v2/identities/${organization.uid}`, {
      name: subject,
      claimMatch: { issuer: "https://token.example", subject },
    });
    const maker = await signUpBehind();
    await bind(api, organization, maker, ["CAP_IAM_GROUPS_LIST", "CAP_IAM_IDENTITY_CREATE"]);
    const { page } = maker;
    await maker.open(`import?group=${organization.uid}&kind=groups`);
    await expect(page.getByText(/create folders/).first()).toBeVisible();
    await expect(page.getByLabel("Or paste it here")).toBeHidden();

    await maker.open(`import?group=${organization.uid}&kind=identities`);
    await page
      .getByLabel("Or paste it here")
      .fill("name,issuer,subject\nci-0,https://token.example,ci-0\nci-1,https://token.example,ci-1");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Dry run" }).click();
    await expect(
      page.getByText("Your role doesn't let you view identities, so we can't tell which are there already."),
    ).toBeVisible();
    await page.getByRole("button", { name: "Create 2 identities" }).click();
    await expect(page.getByRole("region", { name: /^Created \d (?:of 2 )?identities$/ })).toBeVisible({
      timeout: 30_000,
    });
    const { identities } = await api.get<{ identities: { name: string }[] }>(
      `/iam/v2/identities?uidp.children_of=${organization.uid}&order_by=name`,
    );
    expect([...new Set(identities.map(({ name }) => name))]).toEqual(["ci-0", "ci-1"]);
  },
);

test(
  "a pasted list is there again after a reload, and nothing was sent @long",
  ownService,
  async ({ faulty }) => {
    const { page, api, organization, open } = faulty;
    await open(`import?group=${organization.uid}&kind=groups`);
    const paste = page.getByLabel("Or paste it here");
    await paste.fill("runtime\nservices");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.reload();
    await expect(paste).toHaveValue("runtime\nservices");
    await expect(page.getByText("Draft restored")).toBeVisible();
    expect(await api.get(`/iam/v2/groups?uidp.children_of=${organization.uid}`)).toMatchObject({
      totalCount: "0",
    });
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByRole("button", { name: "Create 2 folders" }).click();
    await expect(page.getByRole("region", { name: "Created 2 folders" })).toBeVisible();
    // What was created is no draft any more.
    await page.reload();
    await expect(paste).toHaveValue("");
  },
);

test.describe("with a limit of requests", () => {
  test.use({ serviceVariables: { RATE_LIMIT: "3" } });

  test(
    "more rows than the service takes at once are all created, each once @long",
    ownService,
    async ({ faulty }) => {
      test.setTimeout(180_000);
      const { page, api, organization, open, proxy } = faulty;
      const names = Array.from({ length: 50 }, (_, index) => `team-${String(index).padStart(2, "0")}`);
      await open(`import?group=${organization.uid}&kind=groups`);
      await page.getByLabel("Or paste it here").fill(names.join("\n"));
      await page.getByRole("button", { name: "Preview" }).click();
      await page.getByRole("button", { name: "Dry run" }).click();
      const create = page.getByRole("button", { name: "Create 50 folders" });
      await expect(create).toBeVisible({ timeout: 30_000 });
      const refused = countRefused(proxy, /\/iam\/v2\/groups\/.+/);
      const { stop } = await exhaust(api);
      await create.click();
      await expect.poll(refused.count, { timeout: 60_000 }).toBeGreaterThan(0);
      await stop();
      await expect(page.getByRole("region", { name: "Created 50 folders" })).toBeVisible({
        timeout: 120_000,
      });
      const list = () =>
        api
          .get<{ groups: { name: string }[] }>(
            `/iam/v2/groups?uidp.children_of=${organization.uid}&order_by=name&page_size=200`,
          )
          .catch(() => ({ groups: [] }));
      await expect.poll(async () => (await list()).groups.map(({ name }) => name)).toEqual(names);
    },
  );
});
