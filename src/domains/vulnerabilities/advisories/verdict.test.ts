import { describe, expect, it } from "vitest";

import type { AdvisoryEvent } from "platform-contract/vulnerabilities/events";

import { parseWebAddress } from "platform-contract/web-address";

import { inOrder, readId } from "./ids";
import { verdictOf } from "./verdict";

const event = (at: number, said: object, reviewState = "REVIEW_STATE_APPROVED"): AdvisoryEvent => ({
  uid: `${at}`,
  createTime: `2026-01-0${at}T00:00:00Z`,
  reviewState,
  ...said,
});

describe("where an advisory stands", () => {
  it.each([
    [{ detection: { manual: {} } }, "under_investigation"],
    [{ analysisNotPlanned: {} }, "under_investigation"],
    [{ truePositiveDetermination: {} }, "affected"],
    [{ fixNotPlanned: { note: "too old" } }, "affected"],
    [{ pendingUpstreamFix: {} }, "affected"],
    [{ fixed: { fixedVersion: "1.2-r0" } }, "fixed"],
    [{ patched: { patchedVersions: ["1.2-r0"] } }, "fixed"],
    [{ falsePositiveDetermination: {} }, "not_affected"],
    [{ somethingNew: {} }, "under_investigation"],
  ])("%j", (said, status) => {
    expect(verdictOf({ events: [event(1, { detection: { manual: {} } }), event(2, said)] }).status).toBe(
      status,
    );
  });

  it("is the last approved one: proposals and older ones don't count", () => {
    const verdict = verdictOf({
      events: [
        event(3, { falsePositiveDetermination: {} }, "REVIEW_STATE_PENDING"),
        event(2, { patched: { patchedVersions: ["1.2-r0", "1.3-r0"], note: "Backported." } }),
        event(1, { truePositiveDetermination: {} }),
      ],
    });
    expect(verdict).toMatchObject({ status: "fixed", fixedIn: ["1.2-r0", "1.3-r0"], note: "Backported." });
    expect(verdict.pending).toBe("Not affected");
  });

  it("says why something is not affected as VEX does", () => {
    const type = "TYPE_VULNERABLE_CODE_NOT_IN_EXECUTION_PATH";
    expect(verdictOf({ events: [event(1, { falsePositiveDetermination: { type } })] }).reason).toEqual({
      words: "The vulnerable code is never executed",
      vex: "vulnerable_code_not_in_execute_path",
    });
  });

  it("is under investigation while nothing is approved", () => {
    expect(verdictOf({}).says).toBe("No approved events yet");
  });
});

it.each([
  [" cve-2026-90101\n", "CVE-2026-90101"],
  ["`CVE-2026-1`,", "CVE-2026-1"],
  ["ghsa-2XCF-9gfx-h4qr", "GHSA-2xcf-9gfx-h4qr"],
  ["adv-2345-6789-cfgh", "ADV-2345-6789-cfgh"],
  ["PYSEC-2026-1", "PYSEC-2026-1"],
  ["", ""],
])("reads %j as an id", (typed, id) => expect(readId(typed)).toBe(id));

it("names a CVE before its other ids", () => {
  expect(inOrder(["PYSEC-1", "GHSA-2", "CVE-3"])).toEqual(["CVE-3", "GHSA-2", "PYSEC-1"]);
});

it("links only to web addresses", () => {
  expect(parseWebAddress("https://advisories.example/1", { http: "anywhere" })?.hostname).toBe(
    "advisories.example",
  );
  for (const hostile of [
    "javascript:alert(1)",
    "data:text/html,x",
    "//example",
    "file:///etc/passwd",
    "",
    "x",
  ])
    expect(parseWebAddress(hostile)).toBeUndefined();
});

describe("sources that contradict each other", () => {
  const by = (sourceId: string, one: AdvisoryEvent): AdvisoryEvent => ({ ...one, sourceId });

  it("the newest counts, and the others are named with what they say", () => {
    const { status, others } = verdictOf({
      events: [
        by("GHSA-1", event(1, { detection: { manual: {} } })),
        by("GHSA-1", event(2, { truePositiveDetermination: {} })),
        by("GO-1", event(3, { fixed: { fixedVersion: "1.8.2" } })),
        by("VEX-1", event(4, { falsePositiveDetermination: {} })),
      ],
    });
    expect(status).toBe("not_affected");
    expect(others.map(({ source, says }) => `${source}: ${says}`)).toEqual([
      "GO-1: Fixed in 1.8.2",
      "GHSA-1: Affected",
    ]);
  });

  it("is quiet where they agree, about a source's own history, and about withdrawn records", () => {
    const { others } = verdictOf({
      events: [
        by("GHSA-1", event(1, { falsePositiveDetermination: {} })),
        by("GHSA-1", event(2, { truePositiveDetermination: {} })),
        by("GO-1", event(3, { truePositiveDetermination: {} })),
        by("OLD-1", {
          ...event(3, { falsePositiveDetermination: {} }),
          withdrawTime: "2026-02-01T00:00:00Z",
        }),
        by("SCAN-1", event(3, { detection: { manual: {} } })),
        by("VEX-1", event(4, { truePositiveDetermination: {} })),
      ],
    });
    expect(others).toEqual([]);
  });
});
