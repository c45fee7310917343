import { expect, test } from "./fixtures";

/** Bytes, as `tools/visits.mjs` has it for the build; here nothing may come that the build did not expect. */
const BUDGET = 200_000;
const LISTS = ["Groups", "Identities"];

test("a first visit to any list loads at most 200 kB until its rows are there", async ({ person }) => {
  const { page, api, organization, open } = person;
  await api.post(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  await api.post(`/iam/v2/identities/${organization.uid}`, {
    name: "ci",
    claimMatch: { issuer: "https://issuer.example", subject: "ci" },
  });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Network.enable");
  for (const list of LISTS) {
    const rows = page.getByRole("table", { name: list }).locator("[data-row-key]");
    const loaded = new Map<string, number>();
    await open(`${list.toLowerCase()}?group=${organization.uid}`);
    await expect(rows.first()).toBeVisible();
    await cdp.send("Network.clearBrowserCache");
    page.on("response", (response) => {
      const file = new URL(response.url()).pathname;
      // What the API answers is the customer's data, not the console.
      if (/^\/(?:iam|registry|oidc)\//.test(file)) return;
      loaded.set(file, Number(response.headers()["content-length"] ?? Number.NaN));
    });
    await page.reload();
    await expect(rows.first()).toBeVisible();
    page.removeAllListeners("response");
    expect(loaded.size, "the cache was emptied").toBeGreaterThan(10);
    const all = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0);
    expect(all, [...loaded].map(([file, bytes]) => `${file} ${bytes}`).join("\n")).toBeLessThanOrEqual(
      BUDGET,
    );
  }
});
