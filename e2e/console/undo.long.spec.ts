import type { Page } from "@playwright/test";

import { follow } from "../api";
import { chooseDelete, deletions, exists } from "../deletions";
import { expect, test, type Owner } from "../fixtures";
import { createRepo, createTags, digestOf, NO_IMAGE } from "../tags";

/** Repeats a run: `UNDO_SEED=7 npm run test:long`. */
const SEED = Number(process.env["UNDO_SEED"] ?? Date.now() % 100_000);
const COUNT = Number(process.env["UNDO_COUNT"] ?? (process.env["TEST_LONG"] === "1" ? 100 : 10));

/** Returns a generator of numbers from 0 to 1 for a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

test.use({ viewport: { width: 1280, height: 800 + COUNT * 44 } });

const CLAIMS = {
  gone: [/^Deleted tag (\S+)/, /^Tag (\S+) was already deleted/],
  there: [/^Kept tag (\S+)/, /^Tag (\S+) wasn't deleted/],
} as const;

/** Records every text that the panel of deletions shows, across reloads. */
async function record(page: Page): Promise<readonly string[]> {
  const said: string[] = [];
  await page.exposeBinding("noteSaid", (_source, text: string) => void said.push(text));
  await page.addInitScript(() => {
    const note = (window as unknown as { noteSaid: (text: string) => void }).noteSaid;
    const last = new Set<string>();
    new MutationObserver(() => {
      const now = [...document.querySelectorAll("[aria-label=Deletions] li")].map((each) => each.textContent);
      for (const text of now) if (!last.has(text)) note(text);
      last.clear();
      for (const text of now) last.add(text);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return said;
}

interface Walk {
  readonly person: Owner;
  readonly list: string;
  /** Waits a random time up to so many ms. */
  readonly wait: (most: number) => Promise<void>;
  readonly chance: () => number;
  readonly exists: (name: string) => Promise<boolean>;
  readonly elsewhere: (name: string) => Promise<void>;
}

const undo = (page: Page, name: string) => page.getByRole("button", { name: `Undo deleting ${name}` });

/** Presses Undo if it is still there; as long as it is, nothing has been sent. */
async function pressUndo({ person: { page }, chance }: Walk, name: string): Promise<void> {
  if (chance() < 0.3) await page.keyboard.press("ControlOrMeta+z");
  else
    await undo(page, name)
      .click({ timeout: 500 })
      .catch(() => undefined);
  // The countdown stops while the pointer is over it.
  await page.mouse.move(300, 500);
}

/** What the user, or the environment, does after "Delete" was chosen. */
const WEATHER: Readonly<Record<string, (walk: Walk, name: string) => Promise<void>>> = {
  async nothing() {
    // The countdown runs out.
  },
  async undone(walk, name) {
    await walk.wait(6500);
    await pressUndo(walk, name);
  },
  async reload({ person: { page }, wait }) {
    await wait(6500);
    await page.reload();
  },
  async "undone, then reload"(walk, name) {
    await walk.wait(4000);
    await pressUndo(walk, name);
    await walk.wait(100);
    await walk.person.page.reload();
  },
  async "two reloads"({ person: { page }, wait }) {
    await wait(5000);
    await page.reload();
    await wait(500);
    await page.reload();
  },
  async offline({ person: { page, context }, wait }) {
    await wait(6500);
    await context.setOffline(true);
    await wait(7000);
    await context.setOffline(false);
    await page.waitForTimeout(1);
  },
  async "offline, then undone"(walk, name) {
    const { context } = walk.person;
    await walk.wait(6300);
    await context.setOffline(true);
    await walk.wait(4000);
    await pressUndo(walk, name);
    await walk.wait(1000);
    await context.setOffline(false);
  },
  async "another screen"({ person: { page }, wait, list }) {
    await wait(5000);
    await follow(page, "roles");
    await wait(3000);
    await follow(page, list);
  },
  async "the page is left and comes back"({ person: { page, open }, wait, list }) {
    await wait(6300);
    await page.goto("about:blank");
    await wait(1500);
    await open(list);
  },
  async "somebody else is faster"(walk, name) {
    await walk.wait(4000);
    await walk.elsewhere(name);
    if (walk.chance() < 0.5) await pressUndo(walk, name);
  },
};

/** Asserts that, with no deletion pending, the list shows the record exactly if the service has it. Returns that. */
async function expectTruth(page: Page, name: string, exists: () => Promise<boolean>): Promise<boolean> {
  const underWay = deletions(page).getByText(/^(Deleting|Waiting|Keeping)/);
  const row = page.getByRole("link", { name, exact: true });
  let there = false;
  // After a reload the row is hidden immediately, and the request may arrive later.
  await expect(async () => {
    await expect(underWay).toHaveCount(0, { timeout: 1 });
    there = await exists();
    await expect(row, `${name} in the list`).toHaveCount(there ? 1 : 0, { timeout: 1 });
  }).toPass({ timeout: 60_000, intervals: [100] });
  return there;
}

test(`what the screen says of ${COUNT} deletions is what the service knows`, async ({ person, problems }) => {
  test.setTimeout(60_000 + COUNT * 25_000);
  problems.allow(NO_IMAGE);
  problems.allow(/status of 404 .*\/registry\/v2\/tags\//);
  problems.allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to fetch/);
  process.stdout.write(`\nseed ${SEED}\n`);
  const { page, api, organization, open } = person;
  const repo = await createRepo(api, organization.uid);
  const nameOf = (index: number) => `t${String(index).padStart(3, "0")}`;
  const made = await createTags(
    api,
    repo.uid,
    Array.from({ length: COUNT }, (_, index) => ({
      name: nameOf(index),
      digest: digestOf(index + 1),
      // The console asks before it deletes a name in use.
      deprecated: true,
    })),
  );
  const uids = new Map(made.map(({ name, uid }) => [name, uid]));
  const next = random(SEED);
  const list = `tags?repo=${repo.uid.replaceAll("/", "_")}&order=name`;
  const walk: Walk = {
    person,
    list,
    chance: next,
    wait: (most) => page.waitForTimeout(next() * most),
    exists: (name) => exists(api, `/registry/v2/tags/${uids.get(name)}`),
    elsewhere: (name) => api.delete(`/registry/v2/tags/${uids.get(name)}`).catch(() => undefined),
  };
  const said = await record(page);
  await open(list);

  const weathers = Object.keys(WEATHER);
  const truth = new Map<string, boolean>();
  const begin = async (name: string) => {
    await chooseDelete(page, name);
    await expect(deletions(page).getByText(`Deleting tag ${name}`)).toBeVisible();
    if (await undo(page, name).isVisible())
      expect(await walk.exists(name), `${name} can be undone`).toBe(true);
  };
  const happened = new Map<string, number>();
  for (let index = 0; index < COUNT; index += 1) {
    const weather = weathers[Math.floor(next() * weathers.length)] ?? "nothing";
    happened.set(weather, (happened.get(weather) ?? 0) + 1);
    const some = [nameOf(index)];
    // Sometimes start a second deletion while the first is pending.
    if (next() < 0.25 && index + 1 < COUNT) some.push(nameOf((index += 1)));
    for (const name of some) await begin(name);
    await WEATHER[weather]?.(walk, some[0] ?? "");
    for (const name of some)
      truth.set(
        name,
        await expectTruth(page, name, () => walk.exists(name)).catch((error: unknown) => {
          throw new Error(`seed ${SEED}, ${name}, ${weather}; said: ${said.slice(-12).join(" | ")}`, {
            cause: error,
          });
        }),
      );
  }

  // No text ever shown was false, and the last one for each record matches the service.
  const falsehoods = said.flatMap((text) => {
    const claimed = (patterns: readonly RegExp[]) =>
      patterns.map((pattern) => pattern.exec(text)?.[1]).find((name) => name !== undefined);
    const [gone, there] = [claimed(CLAIMS.gone), claimed(CLAIMS.there)];
    if (gone !== undefined) return truth.get(gone) === false ? [] : [text];
    return there === undefined || truth.get(there) === true ? [] : [text];
  });
  const claims = said.filter((text) =>
    [...CLAIMS.gone, ...CLAIMS.there].some((pattern) => pattern.test(text)),
  );
  const deleted = [...truth.values()].filter((there) => !there).length;
  process.stdout.write(
    `${COUNT} deletions, ${deleted} carried out, ${claims.length} claims, ${falsehoods.length} false; ${[...happened].map(([weather, count]) => `${weather} ${count}`).join(", ")}\n`,
  );
  expect(falsehoods).toEqual([]);
  expect(deleted).toBeGreaterThan(0);
  expect(deleted).toBeLessThan(COUNT);
});
