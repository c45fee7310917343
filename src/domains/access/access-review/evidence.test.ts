import { expect, it } from "vitest";

import type { AuditEntry } from "platform-contract/audit/entries";
import { PULL, PUSH } from "platform-contract/capability";
import type { Identity } from "platform-contract/iam/identities";

import { flagsOf, itemsOf, smallerRoles } from "./evidence";
import type { ReviewItem } from "./format";
import { usedWords } from "./report";
import {
  binding,
  creator,
  DAY,
  editor,
  entry,
  facts,
  identityUid,
  ORG,
  owner,
  pusher,
  ROLES,
  TEAM,
  viewer,
} from "./testing";

const NOTHING = { log: undefined, use: undefined };
const only = (items: readonly ReviewItem[]): ReviewItem => items[0] as ReviewItem;

it("finds a role from the same folder or above that allows the same or more", () => {
  const above = binding(9, { group: ORG, role: editor });
  expect(only(itemsOf(facts([binding(1)], { above: [above] }))).evidence.covered).toBe("editor in acme");
  const less = binding(9, { group: ORG, role: viewer });
  expect(
    only(itemsOf(facts([binding(1, { role: editor })], { above: [less] }))).evidence.covered,
  ).toBeUndefined();
  const other = binding(9, { group: ORG, role: editor, identity: identityUid(2) });
  expect(only(itemsOf(facts([binding(1)], { above: [other] }))).evidence.covered).toBeUndefined();
  // Whoever can't see what is above knows only of what they see.
  const hidden = only(itemsOf(facts([binding(1)], { aboveHidden: true }))).evidence;
  expect([hidden.covered, hidden.aboveUnknown]).toEqual([undefined, true]);
  // One that ends does not stand in for one that stays.
  const ending = binding(9, { group: ORG, role: editor, expirationTime: DAY });
  expect(only(itemsOf(facts([binding(1)], { above: [ending] }))).evidence.covered).toBeUndefined();
});

it("calls one of two equal roles in a folder doubled, not both", () => {
  const twin = { ...editor, uid: "e".repeat(40), name: "twin" };
  const bindings = [binding(1, { role: editor }), binding(2, { role: twin })];
  const items = itemsOf(facts(bindings, { roles: [...ROLES, twin] }));
  expect(items.filter(({ evidence }) => evidence.covered !== undefined)).toHaveLength(1);
});

it("flags machines that are owner or editor, not people", () => {
  const machine = identityUid(7, ORG);
  const items = itemsOf(
    facts([
      binding(1, { identity: machine, role: editor }),
      binding(2, { identity: machine, role: viewer }),
      binding(3, { role: owner }),
    ]),
  );
  expect(items.filter(({ evidence }) => evidence.strong).map(({ role }) => role.name)).toEqual(["editor"]);
});

it("tells never used from unknown", () => {
  const person = identityUid(1);
  const seen = (identity: Partial<Identity>) =>
    only(
      itemsOf(
        facts([binding(1)], { identities: new Map([[person, { uid: person, ...identity } as Identity]]) }),
      ),
    );
  expect(seen({}).evidence.seen).toBeNull();
  expect(flagsOf(seen({}))).toContain("Never used");
  expect(seen({ lastSeenTime: DAY }).evidence.seen).toBe(DAY);
  const hidden = only(itemsOf(facts([binding(1)])));
  expect(hidden.evidence.seen).toBeUndefined();
  expect(flagsOf(hidden)).not.toContain("Never used");
});

it("takes who granted it and who changed it from the log", () => {
  const uid = binding(1).uid;
  const about = new Map([
    [
      uid,
      [
        entry("groupInvites.register", {
          actor: { uid: identityUid(3), name: "Ben" },
          related: [{ record: { kind: "roleBindings", uid }, change: "created" }],
        }),
        entry("roleBindings.update", {
          createTime: "2026-11-05T00:00:00.000Z",
          actor: { uid: identityUid(4), name: "Cleo" },
          record: { kind: "roleBindings", uid },
          change: "updated",
          changes: [{ field: "roleUid" }],
        }),
      ],
    ],
  ]);
  const { evidence } = only(itemsOf(facts([binding(1)], { log: { about, changes: [], since: DAY } })));
  expect(evidence.granted).toEqual({ at: DAY, by: "Ben" });
  expect(evidence.changed).toEqual({ at: "2026-11-05T00:00:00.000Z", by: "Cleo" });
  const without = only(itemsOf(facts([binding(1)], { log: undefined }))).evidence;
  expect(without.granted).toEqual({ at: DAY });
  expect(without.used).toBeUndefined();
});

it("knows that the same role was held before, and since when", () => {
  const [now, before] = [binding(1), binding(2)];
  const record = {
    kind: "roleBindings",
    uid: before.uid,
    identityUid: identityUid(1),
    roleUid: viewer.uid,
  };
  const about = new Map([
    [
      before.uid,
      [
        entry("roleBindings.create", {
          outcome: "OUTCOME_DONE",
          actor: { uid: identityUid(3), name: "Ben" },
          record,
          change: "created",
        }),
        entry("roleBindings.delete", {
          outcome: "OUTCOME_DONE",
          createTime: "2026-02-01T00:00:00.000Z",
          record,
          change: "deleted",
          changes: [{ field: "createTime", before: JSON.stringify(DAY) }],
        }),
      ],
    ],
  ]);
  const { evidence } = only(itemsOf(facts([now], { log: { about, changes: [], since: DAY } })));
  expect(evidence.first).toEqual({ at: DAY, by: "Ben" });
});

it("counts only what the log would have, in the folder and below", () => {
  const actor = { uid: identityUid(1), name: "who 1" };
  const changes = [
    entry("repos.create", { actor }),
    entry("repos.create", { actor, uid: `${ORG}/${"1".repeat(16)}` }),
  ];
  const used = (role = editor, some = changes) =>
    only(itemsOf(facts([binding(1, { role })], { log: { about: new Map(), changes: some, since: DAY } })))
      .evidence.used;
  expect(used()).toEqual({ since: DAY, some: 1, of: 2 });
  // The second change was made above the folder.
  expect(used(editor, changes.slice(1))?.some).toBe(0);
  expect(used(pusher)).toEqual({ since: DAY, some: 0, of: 0 });
  expect(flagsOf(only(itemsOf(facts([binding(1, { role: pusher })]))))).not.toContain("No changes made");
  expect(flagsOf(only(itemsOf(facts([binding(1, { role: editor })]))))).toContain("No changes made");
});

it("puts the reader's own access last", () => {
  const items = itemsOf(
    facts([binding(1), binding(2, { identity: identityUid(2) })], { me: identityUid(1) }),
  );
  expect(items.map(({ own }) => own)).toEqual([false, true]);
});

it("offers only roles that allow less, those that allow what was used first", () => {
  const [item] = itemsOf(facts([binding(1, { role: owner })]));
  const names = (changes: Parameters<typeof entry>[0][]) =>
    smallerRoles(item as ReviewItem, ROLES, {
      log: {
        about: new Map(),
        since: DAY,
        changes: changes.map((action) => entry(action, { actor: { uid: identityUid(1) } })),
      },
      use: undefined,
    }).map(({ role, missing }) => [role.name, missing]);
  expect(names([])).toEqual([
    ["viewer", 0],
    ["creator", 0],
    ["editor", 0],
  ]);
  expect(names(["repos.create"])).toEqual([
    ["creator", 0],
    ["editor", 0],
    ["viewer", 1],
  ]);
  const [small] = itemsOf(facts([binding(1, { role: creator })]));
  expect(smallerRoles(small as ReviewItem, ROLES, NOTHING)).toEqual([]);
  // A custom role of another folder can't be granted here.
  const elsewhere = { ...viewer, uid: `${ORG}/${"c".repeat(16)}/${"d".repeat(16)}`, name: "elsewhere" };
  const here = { ...viewer, uid: `${TEAM}/${"d".repeat(16)}`, name: "here" };
  expect(
    smallerRoles(item as ReviewItem, [...ROLES, elsewhere, here], NOTHING).map(({ role }) => role.name),
  ).toContain("here");
  expect(
    smallerRoles(item as ReviewItem, [...ROLES, elsewhere, here], NOTHING).map(({ role }) => role.name),
  ).not.toContain("elsewhere");
});

const puller = { ...viewer, uid: "d".repeat(40), name: "puller", capabilities: ["CAP_REPO_LIST", PULL] };
const both = { ...puller, uid: "c".repeat(40), name: "both", capabilities: ["CAP_REPO_LIST", PULL, PUSH] };
const repo = `${TEAM}/${"1".repeat(16)}`;

it("tells when somebody last pulled and pushed under a folder, and that nobody has since counting began", () => {
  const pulls = (complete: boolean) => ({
    rows: [
      { identity: identityUid(1), repo, last: "2026-02-01T00:00:00.000Z" },
      { identity: identityUid(1), repo: `${ORG}/${"2".repeat(16)}`, last: "2026-03-01T00:00:00.000Z" },
    ],
    since: DAY,
    complete,
  });
  const evidenceOf = (identity: string, role: typeof puller, complete = true) =>
    only(
      itemsOf(
        facts([binding(1, { identity, role })], {
          roles: [...ROLES, puller, both],
          pulls: pulls(complete),
          log: {
            about: new Map(),
            changes: [entry("tags.create", { actor: { uid: identityUid(1) } as AuditEntry["actor"] })],
            since: DAY,
          },
        }),
      ),
    ).evidence;
  expect(evidenceOf(identityUid(1), both)).toMatchObject({
    pulled: { since: DAY, last: "2026-02-01T00:00:00.000Z" },
    pushed: { since: DAY, last: DAY },
  });
  expect(evidenceOf(identityUid(2), puller).pulled).toEqual({ since: DAY, last: null });
  expect(evidenceOf(identityUid(2), puller).pushed).toBeUndefined();
  // Of more rows than an answer has, nothing follows for those that are missing.
  expect(evidenceOf(identityUid(2), puller, false).pulled).toBeUndefined();
  expect(evidenceOf(identityUid(1), viewer as typeof puller).pulled).toBeUndefined();
});

it("says that a smaller role stops what is pulled, and offers it last", () => {
  const item = only(
    itemsOf(
      facts([binding(1, { role: both })], {
        roles: [...ROLES, puller, both],
        pulls: { rows: [{ identity: identityUid(1), repo, last: DAY }], since: DAY, complete: true },
      }),
    ),
  );
  const list = { ...viewer, capabilities: ["CAP_REPO_LIST"] };
  expect(
    smallerRoles(item, [list, puller, both], NOTHING).map(({ role, stopsPulls }) => [role.name, stopsPulls]),
  ).toEqual([
    ["puller", false],
    ["viewer", true],
  ]);
});

it("takes what the service counted of use in place of the log, reads as well", () => {
  const used = (capability: string, callCount: string, group = TEAM) => ({
    identity: identityUid(1),
    capability,
    group,
    callCount,
    lastTime: DAY,
  });
  const rows = [used("CAP_REPO_LIST", "4"), used("CAP_REPO_CREATE", "1"), used("CAP_REPO_UPDATE", "9", ORG)];
  const use = { rows, since: DAY, complete: true };
  const item = only(itemsOf(facts([binding(1, { role: owner })], { use })));
  expect(item.evidence.uses).toEqual({ since: DAY, last: DAY, some: 2, of: 5 });
  expect(item.evidence.used).toBeUndefined();
  expect(
    smallerRoles(item, ROLES, { log: undefined, use }).map(({ role, missing }) => [role.name, missing]),
  ).toEqual([
    ["editor", 0],
    ["viewer", 1],
    ["creator", 4],
  ]);
  const idle = only(itemsOf(facts([binding(1, { role: pusher })], { use })));
  expect(flagsOf(idle)).toContain("Not used");
  const unused = only(itemsOf(facts([binding(1, { role: owner, identity: identityUid(2) })], { use })));
  const [first] = smallerRoles(unused, ROLES, { log: undefined, use });
  expect([first?.role.name, first?.missing]).toEqual(["viewer", 0]);
});

it("says in how many groups use was counted where that isn't all", () => {
  const uses = { since: DAY, last: null, some: 0, of: 5 };
  expect(usedWords({ evidence: { uses } })).toMatch(/^nothing used since [^;]+$/);
  expect(usedWords({ evidence: { uses: { ...uses, groups: 83 } } })).toMatch(
    /; lists that name no folder are counted in 50 of 83 groups$/,
  );
});
