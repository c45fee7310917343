import { inviteWrites, mappingWrites } from "../access-writes";
import { expect, fault, LONG, ownService, test, type Faulty } from "../faulty";
import type { Effect } from "../fault";
import { param } from "../records";
import { tagSubjects } from "../tag-writes";
import { createRepo, NO_IMAGE } from "../tags";
import {
  association,
  claimOf,
  folder,
  identity,
  openList,
  organization,
  pressAgain,
  provider,
  repo,
  role,
  subjectOf,
  terms,
  UNKNOWN,
  type Kind,
  type Subject,
  type Write,
} from "../writes";

/** Each fault affects a write once; the retry gets through. */
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

/** Makes a write under a fault and compares the screen's claim with the service's state. */
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
  if (!first.saved) await pressAgain(dialog, submit, `${verb}, ${what}: again`);
  await write.shown();
  expect.soft(await write.effects(), `${verb}, ${what}: all told`).toBe(1);
}

/** Opens the screen to write on; returns a function that creates the writes of one round. */
type Rounds = (faulty: Faulty) => Promise<(round: number) => readonly Write[]>;

const lifeOf = (subject: Subject, round: number): Write[] => [
  subject.create(),
  subject.rename(`second-${round}`),
  subject.delete(),
];

const listed =
  (kind: Kind): Rounds =>
  async (faulty) => {
    await openList(faulty, kind);
    return (round) => lifeOf(subjectOf(faulty, kind, `first-${round}`), round);
  };

const ofTags: Rounds = async (faulty) => {
  const subject = await tagSubjects(faulty);
  return (round) => lifeOf(subject(`first-${round}`), round);
};

/** A readme exists as long as its repo, so it is only ever updated. */
const ofReadme: Rounds = async ({ page, api, organization: { uid: group }, open }) => {
  const { uid } = await createRepo(api, group);
  await open(`repos/${param(uid)}`);
  return (round) => {
    const text = `Written in round ${round}.`;
    const path = `/registry/v2/repos/${uid}/readme`;
    return [
      {
        verb: "update",
        method: "PATCH",
        path: new RegExp(`^${path}$`),
        async begin() {
          await page.getByRole("button", { name: /^(?:Write|Edit) readme$/ }).click();
          const dialog = page.getByRole("dialog", { name: /^Edit readme/ });
          await dialog.getByRole("textbox", { name: "Readme" }).fill(text);
          return { dialog, submit: dialog.getByRole("button", { name: "Save readme" }) };
        },
        effects: async () => ((await api.get<{ content?: string }>(path)).content === text ? 1 : 0),
        shown: () => expect(page.getByRole("region", { name: "Readme" }).getByText(text)).toBeVisible(),
      },
    ];
  };
};

/** `npm test` runs one kind. */
const KINDS: Readonly<Record<string, Rounds>> = {
  organization: listed(organization),
  folder: listed(folder),
  identity: listed(identity),
  role: listed(role),
  repo: listed(repo),
  tag: ofTags,
  readme: ofReadme,
  invite: inviteWrites,
  "identity provider": listed(provider),
  "group mapping": mappingWrites,
  "account association": listed(association),
  "terms document": listed(terms),
};

/**
 * Number of writes in a round that meet a fault: without `test:long` only the create, and all three every third round.
 */
const lengthOf = (round: number): number => (LONG || round % 3 === 0 ? 3 : 1);

for (const [noun, rounds] of Object.entries(KINDS))
  test(
    `whatever happens to a write of ${/^[aio]/.test(noun) ? "an" : "a"} ${noun}, what the screen claims is what the service holds${noun === "folder" ? "" : " @long"}`,
    ownService,
    async ({ faulty, problems }) => {
      test.slow();
      problems.allow(NO_IMAGE);
      await faulty.page.clock.install();
      const writes = await rounds(faulty);
      for (const [round, [what, effect]] of Object.entries(FAULTS).entries())
        for (const write of writes(round).slice(0, lengthOf(round)))
          await claimsHold(faulty, write, effect, what);
    },
  );
