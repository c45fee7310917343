import type { Effect } from "./fault";
import { expect, fault, type Faulty } from "./faulty";
import {
  claimOf,
  openList,
  pressAgain,
  subjectOf,
  UNKNOWN,
  type Kind,
  type Subject,
  type Write,
} from "./writes";

/** Every way to lose a response. With `keepAlive` the browser resends the request by itself. */
const LOSSES: readonly { readonly what: string; readonly effect: Effect; readonly keepAlive?: boolean }[] = [
  { what: "cut after, sent again by the browser", effect: fault.cutAfter, keepAlive: true },
  { what: "cut before", effect: fault.cutBefore },
  { what: "cut in the body", effect: fault.cutInBody },
  { what: "cut after", effect: fault.cutAfter },
  { what: "502 after", effect: fault.htmlAfter(502) },
];

export interface Figures {
  writes: number;
  duplicates: number;
  lostEdits: number;
  falseClaims: number;
}

/** Loses the response to a write, and presses again until the screen says that it was done. */
async function lose({ proxy }: Faulty, write: Write, turn: number, figures: Figures): Promise<void> {
  const loss = LOSSES[turn % LOSSES.length] as (typeof LOSSES)[number];
  const { dialog, submit } = await write.begin();
  proxy.keepAlive = loss.keepAlive === true;
  if (proxy.keepAlive) await dialog.page().evaluate(() => fetch("/healthz", { credentials: "omit" }));
  const rule = proxy.rule({ method: write.method, path: write.path }, loss.effect, { times: 1 });
  await submit.click();
  const claim = await claimOf(dialog);
  expect(rule.seen, `${write.verb}, ${loss.what}`).toHaveLength(1);
  rule.remove();
  proxy.keepAlive = false;
  figures.writes += 1;
  const done = await write.effects();
  const wrong = claim.saved ? done === 0 : done > 0 && !UNKNOWN.test(claim.text);
  if (wrong) figures.falseClaims += 1;
  if (!claim.saved) await pressAgain(dialog, submit, `${write.verb}, ${loss.what}: again`);
  await write.shown();
  const all = await write.effects();
  if (all > 1) figures.duplicates += all - 1;
  if (all < 1) figures.lostEdits += 1;
}

/** Loses the responses to `count` creates, updates and deletes on one list; the browser's clock is `ahead` ms fast. */
export async function loseAnswers(
  faulty: Faulty,
  kind: Kind,
  count: number,
  ahead: number,
): Promise<Figures> {
  const figures: Figures = { writes: 0, duplicates: 0, lostEdits: 0, falseClaims: 0 };
  await faulty.page.clock.install({ time: Date.now() + ahead });
  await openList(faulty, kind);
  for (let turn = 0; turn < count; turn += 3) {
    const subject: Subject = subjectOf(faulty, kind, `lost-${turn}`);
    // Three writes and five losses: every combination occurs.
    await lose(faulty, subject.create(), turn, figures);
    await lose(faulty, subject.rename(`found-${turn}`), turn + 1, figures);
    await lose(faulty, subject.delete(), turn + 2, figures);
  }
  return figures;
}

export const NONE_LOST = { duplicates: 0, lostEdits: 0, falseClaims: 0 };
