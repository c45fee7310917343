import { describe, expect, it, test } from "vitest";

import { NOTICE_TOPICS, type Ending, type NoticeTopic } from "platform-contract/iam/notices";

import { endingWords } from "./data";
import { keepOf } from "./keep";
import { TOPIC_LABELS } from "./topics";

const GROUP = "a".repeat(40);
const uid = `${GROUP}/${"b".repeat(16)}`;
const of = (topic: string, more: Partial<Ending> = {}): Ending => ({ topic, uid, name: "thing", ...more });

describe("endingWords", () => {
  test.each<[NoticeTopic, Partial<Ending>, string, string, string]>([
    ["NOTICE_TOPIC_KEYS", {}, "thing", "Keys", "/identities/$uid"],
    ["NOTICE_TOPIC_ROLE_BINDINGS", { identityName: "ci" }, "thing", "Role of ci", "/role-bindings/$uid"],
    ["NOTICE_TOPIC_INVITES", { name: "" }, "Anyone with the link", "Invite", "/group-invites/$uid"],
    ["NOTICE_TOPIC_SYNCS", {}, "thing", "Sync of a repo", "/repos/$uid"],
    [
      "NOTICE_TOPIC_SCIM_TOKENS",
      {},
      "thing",
      "SCIM token of an identity provider",
      "/identity-providers/$uid",
    ],
    ["NOTICE_TOPIC_REVIEWS", {}, "thing", "Access review that waits for you", "/access-review"],
  ])("%s", (topic, more, name, kind, to) => {
    expect(endingWords(of(topic, more))).toMatchObject({ name, kind, link: { to } });
  });

  it("names what a later service might tell, without a link", () => {
    const { name } = { name: `aaaaaaaa…bbbbbbbb` };
    expect(endingWords({ topic: "NOTICE_TOPIC_MOONS", uid })).toMatchObject({ link: undefined });
    expect(endingWords({ topic: "NOTICE_TOPIC_MOONS", uid }).name).toBe(name);
  });

  it("has words for every topic", () => {
    expect(Object.keys(TOPIC_LABELS)).toEqual([...NOTICE_TOPICS]);
  });
});

describe("keepOf", () => {
  const free = { refusal: () => undefined, own: new Set<string>(), asks: true };
  const refused = { ...free, refusal: () => "no" };
  const labelOf = (ending: Ending, around: Parameters<typeof keepOf>[1] = free) =>
    keepOf(ending, around)?.label;

  it("extends keys only while they can last longer", () => {
    const endTime = "2026-12-01T00:00:00Z";
    const keys = (latestEndTime?: string) => of("NOTICE_TOPIC_KEYS", { endTime, latestEndTime });
    expect(labelOf(keys("2027-01-01T00:00:00Z"))).toBe("Extend");
    expect(labelOf(keys("2026-12-01T00:00:10Z"))).toBe("Make a new identity");
    expect(labelOf(keys())).toBe("Extend");
  });

  it("extends a role, or asks for one's own", () => {
    const role = of("NOTICE_TOPIC_ROLE_BINDINGS");
    expect(labelOf(role)).toBe("Extend");
    expect(labelOf(role, refused)).toBeUndefined();
    const own = { ...refused, own: new Set([uid]) };
    expect(labelOf(role, own)).toBe("Ask to keep it");
    expect(labelOf(role, { ...own, asks: false })).toBeUndefined();
  });

  test.each(NOTICE_TOPICS)("offers nothing that is refused: %s", (topic) => {
    // Whoever a review waits for may decide in it, whatever their role.
    if (topic === "NOTICE_TOPIC_REVIEWS") expect(labelOf(of(topic), refused)).toBe("Decide");
    else expect(keepOf(of(topic), refused)).toBeUndefined();
    expect(keepOf(of(topic), free)).toBeDefined();
  });

  it("offers nothing for what it doesn't know", () => {
    expect(keepOf(of("NOTICE_TOPIC_MOONS"), free)).toBeUndefined();
  });
});
