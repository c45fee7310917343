import { expect, test as base } from "../fixtures";
import { INTERPRETED, openMemory } from "../memory";
import { SCREENS, tour } from "../tour";

const WARM_UP = 2;
const ROUNDS = 6;

const test = base.extend({
  // A separate browser: launch options for this file would need a new worker.
  context: async ({ playwright }, use) => {
    const browser = await playwright.chromium.launch(INTERPRETED.launchOptions);
    await use(await browser.newContext());
    await browser.close();
  },
});

test(`${ROUNDS * SCREENS} screen changes leave no listeners, no elements and no memory behind`, async ({
  person,
}) => {
  const { page, api, organization, open } = person;
  await api.post(`/iam/v2/groups/${organization.uid}`, { name: "team" });
  await api.post(`/iam/v2/identities/${organization.uid}`, {
    name: "ci",
    claimMatch: { issuer: "https://issuer.example", subject: "ci" },
  });
  await open(`?group=${organization.uid}`);
  const memory = await openMemory(page);
  // By now, one-time fetches, compilation and caches are done.
  for (let round = 0; round < WARM_UP; round += 1) await tour(page, "team", "ci");
  // The last screen may still be working.
  let before = await memory.read();
  await expect(async () => {
    const last = before;
    before = await memory.read();
    expect(before.nodes).toBe(last.nodes);
  }).toPass({ timeout: 15_000, intervals: [1000] });
  for (let round = 0; round < ROUNDS; round += 1) await tour(page, "team", "ci");
  // A leaked listener or element per screen would add up to 60. The last screen may still be working; a leak stays.
  await expect(async () => {
    const after = await memory.read();
    expect(after.listeners - before.listeners, "listeners").toBeLessThan((ROUNDS * SCREENS) / 4);
    expect(after.nodes - before.nodes, "nodes").toBeLessThan(ROUNDS * SCREENS);
    // A wrongly retained controller of an early request retains everything a screen loaded after it.
    expect(after.controllers - before.controllers, "abort controllers").toBeLessThan((ROUNDS * SCREENS) / 4);
    expect(after.heap / before.heap, "heap").toBeLessThan(1.05);
  }).toPass({ timeout: 15_000 });
});
