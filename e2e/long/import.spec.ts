import { expect, fault, ownService, test, type Faulty } from "../faulty";

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
