import { expect, fault, ownService, test } from "../faulty";
import { CREATES, loseCreate, LOSSES } from "../lost-creates";
import { openList, provider, subjectOf } from "../writes";
import { NO_IMAGE } from "../tags";

for (const [noun, creates] of Object.entries(CREATES))
  test(
    `${/^[aeio]/.test(noun) ? "an" : "a"} ${noun} whose response is lost in any of seven ways is created once${noun === "identity provider" ? "" : " @long"}`,
    ownService,
    async ({ faulty, proxied, problems }) => {
      test.slow();
      problems.allow(NO_IMAGE);
      await faulty.page.clock.install();
      const write = await creates(faulty);
      for (const [round, loss] of LOSSES.entries()) await loseCreate(faulty, proxied, write(round), loss);
    },
  );

test(
  "of a service that keeps no keys, a record that the browser created twice is named, with a link",
  ownService,
  async ({ faulty }) => {
    const { page, proxy } = faulty;
    const withoutKeys = fault.edit(({ body }) => ({ body: body.replaceAll('"idempotencyKeys":true,', "") }));
    proxy.rule({ method: "GET", path: /^\/(?:config\.json|identity-providers)?$/ }, withoutKeys);
    await page.reload();
    await openList(faulty, provider);
    const { name, uids, create } = subjectOf(faulty, provider, "made-twice");
    const { dialog, submit } = await create().begin();
    proxy.keepAlive = true;
    await page.evaluate(() => fetch("/healthz", { credentials: "omit" }));
    const rule = proxy.rule({ method: "POST", path: create().path }, fault.cutAfter, { times: 1 });
    await submit.click();
    await expect(dialog).toBeHidden();
    expect(rule.seen).toHaveLength(1);
    expect(await uids(name)).toHaveLength(2);
    await expect(page.getByText(`${name} was created twice`)).toBeVisible();
    const other = page.getByRole("link", { name: "Open the other identity provider" });
    await other.click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
  },
);
