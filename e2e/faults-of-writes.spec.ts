import { expect, fault, ownService, test, type Faulty } from "./faulty";
import type { Effect } from "./fault";
import { tagSubjects } from "./tag-writes";
import { NO_IMAGE } from "./tags";
import {
  claimOf,
  folder,
  identity,
  openList,
  repo,
  subjectOf,
  UNKNOWN,
  type Kind,
  type Subject,
  type Write,
} from "./writes";

/** What happens once to a write; the next try gets through. */
const FAULTS: Readonly<Record<string, Effect>> = {
  "cut before the service had it": fault.cutBefore,
  "cut after the service had done it": fault.cutAfter,
  "cut in the middle of the answer": fault.cutInBody,
  "429 with Retry-After": fault.status(429, { retryAfter: 1 }),
  "503 with Retry-After": fault.status(503, { retryAfter: 1 }),
  "500 in the API's form": fault.status(500),
  "500 without a body": fault.bare(500),
  "a page with 200": fault.html(200),
  "a page with 502": fault.html(502),
  "a page with 502, the service having done it": fault.htmlAfter(502),
  "a page with 200, the service having done it": fault.htmlAfter(200),
  "truncated JSON": fault.truncated,
  "204 without a body": fault.edit(() => ({ status: 204, body: "" })),
  "an empty object": fault.json(() => ({})),
  "unknown fields and enums": fault.json((body) => ({
    ...body,
    kind: "KIND_OF_TOMORROW",
    later: { a: [1] },
  })),
};

/** Does a write under a fault, and holds what the screen claims against what the service has. */
async function claimsHold({ proxy }: Faulty, write: Write, effect: Effect, what: string): Promise<void> {
  const { dialog, submit } = await write.begin();
  const { method, path, verb } = write;
  const rule = proxy.rule({ method, path }, effect, { times: 1 });
  await submit.click();
  const first = await claimOf(dialog);
  rule.remove();
  expect.soft(rule.seen, `${verb}, ${what}: the fault did not happen`).toHaveLength(1);
  const done = await write.effects();
  if (first.saved) expect.soft(done, `${verb}, ${what}: claimed as done`).toBe(1);
  else if (!UNKNOWN.test(first.text))
    expect.soft(done, `${verb}, ${what}: claimed as not done: "${first.text}"`).toBe(0);
  // Whoever reads an alert presses again; once all told it has happened.
  if (!first.saved)
    await expect(async () => {
      if (await dialog.isVisible()) await submit.click({ timeout: 1_000 });
      await expect(dialog).toBeHidden({ timeout: 1_000 });
    }, `${verb}, ${what}: again`).toPass();
  await write.shown();
  expect.soft(await write.effects(), `${verb}, ${what}: all told`).toBe(1);
}

/** Opens the list of a kind; answers what makes subjects of it, by their first names. */
type Subjects = (faulty: Faulty) => Promise<(name: string) => Subject>;

const listed =
  (kind: Kind): Subjects =>
  async (faulty) => {
    await openList(faulty, kind);
    return (name) => subjectOf(faulty, kind, name);
  };

/** Every fault meets every write once, of these in turns; `npm run test:long` has each of all. */
const LONG = process.env["TEST_LONG"] === "1";
const KINDS: Readonly<Record<string, Subjects>> = {
  folder: listed(folder),
  identity: listed(identity),
  repo: listed(repo),
  tag: tagSubjects,
};

for (const [turn, [noun, subjects]] of Object.entries(KINDS).entries())
  test(
    `whatever happens to a write of a ${noun}, what the screen claims is what the service holds`,
    ownService,
    async ({ faulty, problems }) => {
      test.slow();
      problems.allow(NO_IMAGE);
      await faulty.page.clock.install();
      const make = await subjects(faulty);
      const mine = Object.entries(FAULTS).filter(
        (_, index) => LONG || index % Object.keys(KINDS).length === turn,
      );
      for (const [index, [what, effect]] of mine.entries()) {
        const subject = make(`first-${index}`);
        await claimsHold(faulty, subject.create(), effect, what);
        await claimsHold(faulty, subject.rename(`second-${index}`), effect, what);
        await claimsHold(faulty, subject.delete(), effect, what);
      }
    },
  );
