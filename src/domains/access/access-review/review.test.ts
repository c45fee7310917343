import { createHash } from "node:crypto";
import { expect, it } from "vitest";

import { ABOVE_HIDDEN, readReview, reviewFile, type Review } from "./format";
import { decide, leavesNoOwner, partOf, reconcile, resultsOf, reviewerOf } from "./progress";
import { merge } from "./store";
import { sha256 } from "~/frame/export/sha256";

import { reportCsv, reportMarkdown } from "./report";
import {
  binding,
  creator,
  DAY,
  editor,
  facts,
  identityUid,
  live,
  ORG,
  owner,
  review,
  TEAM,
  viewer,
} from "./testing";

const ADA = { by: "ada@example.com", at: "2026-11-03T00:00:00.000Z" };
const LATER = { by: "ben@example.com", at: "2026-11-04T00:00:00.000Z" };
const [one, two] = [binding(1), binding(2, { identity: identityUid(2), role: editor })];
const toViewer = { uid: viewer.uid, name: viewer.name };
const at = (of: Review, uid: string) => of.items.find((item) => item.uid === uid);

it("reads back what it writes", () => {
  const made = decide(
    review([one, two], { reviewers: { [TEAM]: "Ben" }, part: "Ben", applied: true }),
    two.uid,
    { decision: "reduce", to: toViewer, note: 'says "no"\n' },
    ADA,
  );
  expect(readReview(reviewFile(made))).toEqual(JSON.parse(JSON.stringify(made)));
});

it.each([
  ["", "isn't valid JSON"],
  ["[]", "isn't an access review"],
  ['{"format":"platform-console-snapshot","version":1}', "isn't an access review"],
  [
    '{"format":"platform-console-access-review","version":2}',
    "has version 2, but this console reads version 1",
  ],
  ['{"format":"platform-console-access-review","version":1}', "is damaged at id"],
])("refuses the file %s", (text, sentence) => {
  expect(() => readReview(text)).toThrow(sentence);
});

const spoiled = (
  change: (file: Record<string, unknown> & { items: Record<string, unknown>[] }) => void,
): string => {
  const file = JSON.parse(reviewFile(review([one, two]))) as Parameters<typeof change>[0];
  change(file);
  return JSON.stringify(file);
};

it.each([
  [(file) => void (file.items[1] = file.items[0] ?? {}), "contains a role binding twice"],
  [
    (file) => Object.assign(file.items[0] ?? {}, { uid: `${"f".repeat(40)}/${"1".repeat(16)}` }),
    "isn't in the review's scope",
  ],
  [(file) => Object.assign(file.items[0] ?? {}, { uid: "../roles" }), "damaged at items.0.uid"],
  [(file) => Object.assign(file.items[0] ?? {}, { decision: "delete" }), "damaged at items.0.decision"],
  [
    (file) => Object.assign(file.items[0] ?? {}, { decision: "reduce" }),
    "only a reduced role binding has another role",
  ],
  [(file) => Object.assign(file.items[0] ?? {}, { note: "x".repeat(1_001) }), "damaged at items.0.note"],
  [
    (file) => Object.assign(file.items[0] ?? {}, { evidence: { seen: "yesterday" } }),
    "damaged at items.0.evidence.seen",
  ],
  [(file) => Object.assign(file, { started: { by: 7, at: DAY } }), "damaged at started.by"],
] satisfies [Parameters<typeof spoiled>[0], string][])("refuses a changed file: %#", (change, sentence) => {
  expect(() => readReview(spoiled(change))).toThrow(sentence);
});

it("marks what changed since, and keeps the other decisions", () => {
  let now = review([one, two, binding(3)]);
  for (const { uid } of now.items) now = decide(now, uid, { decision: "keep" }, ADA);
  const changed = binding(2, { identity: identityUid(2), role: owner });
  const next = reconcile(now, live([one, changed, binding(4)]));
  expect(at(next, one.uid)).toMatchObject({ decision: "keep", by: ADA.by });
  expect(at(next, two.uid)).toMatchObject({ since: "Was editor, now owner", role: { name: "owner" } });
  expect(at(next, two.uid)?.decision).toBeUndefined();
  expect(at(next, binding(3).uid)).toMatchObject({ gone: true, since: "Removed since", decision: "keep" });
  expect(at(next, binding(4).uid)).toMatchObject({ since: "New since" });
});

it("knows that what it applied itself is no change by somebody else", () => {
  const decided = decide(
    decide(review([one, two], { applied: true }), one.uid, { decision: "revoke" }, ADA),
    two.uid,
    { decision: "reduce", to: toViewer },
    ADA,
  );
  const after = [binding(2, { identity: identityUid(2), role: viewer })];
  const next = reconcile(decided, live(after));
  expect(next.items.map(({ since }) => since)).toEqual([undefined, undefined]);
  expect(at(next, two.uid)).toMatchObject({ decision: "reduce", role: { name: "editor" } });
  expect([...resultsOf(next.items, after).values()].toSorted()).toEqual(["reduced", "revoked"]);
  // The smaller role was there already, and the larger binding had to go.
  const had = [binding(8, { identity: identityUid(2), role: viewer })];
  expect(resultsOf(decided.items, had).get(two.uid)).toBe("reduced");
  expect(resultsOf(decided.items, []).get(two.uid)).toBe("gone");
});

it("says nothing of bindings that the reader can't see", () => {
  const decided = decide(review([one, two]), one.uid, { decision: "keep" }, ADA);
  const next = reconcile(decided, live([two], { hidden: new Set([one.uid]) }));
  expect(at(next, one.uid)).toMatchObject({ decision: "keep" });
  expect(at(next, one.uid)?.gone).toBeUndefined();
});

it("takes the newer of two decisions from another copy", () => {
  const mine = decide(review([one, two]), one.uid, { decision: "keep" }, ADA);
  const theirs = decide(
    decide(review([one, two]), one.uid, { decision: "revoke" }, LATER),
    two.uid,
    { decision: "keep" },
    ADA,
  );
  expect(merge(mine, theirs).items.map(({ decision }) => decision)).toEqual(["revoke", "keep"]);
  expect(at(merge(theirs, mine), one.uid)?.decision).toBe("revoke");
});

it("gives a folder to the nearest reviewer, and each only their part", () => {
  const low = binding(5, { group: `${TEAM}/${"c".repeat(16)}` });
  const whole = review([one, low, binding(6, { group: ORG })], {
    reviewers: { [TEAM]: "Ben", [parent(low.uid)]: "Cleo" },
  });
  expect(whole.items.map((item) => reviewerOf(whole, item)).toSorted()).toEqual(["Ben", "Cleo", undefined]);
  const part = partOf(whole, "Ben");
  expect(part.items.map(({ uid }) => uid)).toEqual([one.uid]);
  // The rest of the scope is not new to them.
  expect(reconcile(part, live([one, low])).items).toHaveLength(1);
});
const parent = (uid: string): string => uid.slice(0, uid.lastIndexOf("/"));

it("notices that no owner would be left", () => {
  const owners = [
    binding(1, { role: owner, group: ORG }),
    binding(2, { role: owner, group: ORG, identity: identityUid(2) }),
  ];
  const half = decide(review(owners), owners[0]?.uid ?? "", { decision: "revoke" }, ADA);
  expect(leavesNoOwner(half)).toBe(false);
  expect(leavesNoOwner(decide(half, owners[1]?.uid ?? "", { decision: "reduce", to: toViewer }, ADA))).toBe(
    true,
  );
  expect(leavesNoOwner(review([binding(1, { role: creator, group: ORG })]))).toBe(false);
});

it("lists what is inherited first, in the file and in the report, and says that it decides none of it", () => {
  const above = binding(9, { group: ORG, identity: identityUid(9), role: owner });
  const inherited = [
    {
      uid: above.uid,
      identity: { uid: identityUid(9), name: "who 9" },
      role: { uid: owner.uid, name: "owner" },
      folder: "acme",
    },
  ];
  const made = reconcile(review([one], { scope: { uid: TEAM, name: "team" } }), live([one], { inherited }));
  expect(readReview(reviewFile(made)).inherited).toEqual(inherited);
  const signed = { by: "ada@example.com", at: LATER.at };
  expect(reportCsv(made, signed).split("\r\n")[1]).toMatch(
    /^who 9,.*,owner,.*,acme,.*None here: decided where it was granted.*Inherited, not reviewed/,
  );
  const [, , first = ""] = reportMarkdown(made, { ...signed, sha256: "" }, "review.csv").split("\n");
  expect(first).toMatch(/^1 role binding was granted in team or below .* 1 more counts here/);
  // Of what is above, the reader may see only a part.
  const part = { ...made, gaps: [ABOVE_HIDDEN] };
  expect(reportMarkdown(part, { ...signed, sha256: "" }, "review.csv")).toContain(
    "At least 1 more counts here",
  );
  const unknown = live([one], { facts: facts([one], { aboveHidden: true }) });
  const hidden = readReview(reviewFile(reconcile(review([one]), unknown)));
  expect(hidden.items[0]?.evidence.aboveUnknown).toBe(true);
  const [head = "", line = ""] = reportCsv(hidden, signed).split("\r\n");
  expect(line.split(",")[head.split(",").indexOf("Inherited twice")]).toBe("unknown");
});

it("writes a report whose hash is that of the file, and escapes what people typed", async () => {
  const decided = decide(review([one]), one.uid, { decision: "keep", note: '=cmd() | <img src=x> *"' }, ADA);
  const signed = { by: "ada@example.com", at: LATER.at };
  const csv = reportCsv(decided, signed);
  const hash = await sha256(csv);
  expect(hash).toBe(createHash("sha256").update(csv).digest("hex"));
  expect(csv).toContain(`"'=cmd() | <img src=x> *"""`);
  const markdown = reportMarkdown(decided, { ...signed, sha256: hash }, "review.csv");
  expect(markdown).toContain(hash);
  expect(markdown).toContain(String.raw`\<img src=x\> \*`);
  expect(await sha256(reportCsv({ ...decided, title: "Other" }, signed))).not.toBe(hash);
});
