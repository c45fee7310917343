import { describe, expect, it } from "vitest";

import { fittingOf } from "./pattern-identities";

describe("matching a token with patterns", () => {
  it("finds those that fit, and lets others have their turn however many and large they are", async () => {
    // None of these stay compiled: together they are too large.
    const large = (index: number) => `x{${90 - (index % 90)}}[a-z]{0,50}|repo:acme/app-${index}:.*`;
    const candidates = Array.from({ length: 600 }, (_, index) => ({
      uid: String(index),
      definition: { issuer: "https://issuer.example", subjectPattern: large(index), audience: "us" },
    }));
    const token = {
      issuer: "https://issuer.example",
      subject: "repo:acme/app-7:ref:main",
      audiences: ["us"],
      claims: {},
    };
    let turns = 0;
    let over = false;
    const turn = (): void => void (!over && setImmediate(() => ((turns += 1), turn())));
    turn();
    expect(await fittingOf(candidates, token, "https://console.example")).toEqual(["7"]);
    over = true;
    expect(turns).toBeGreaterThan(3);
  });

  it("spends no more on a token than its budget: one organization's patterns do not use up another's", async () => {
    const subject = Array.from({ length: 900 }, (_, index) => "ab"[(index * 7 + (index >> 3)) % 2]).join("");
    const issuer = "https://issuer.example";
    const candidate = (uid: string, subjectPattern: string) => ({
      uid,
      definition: { issuer, subjectPattern, audience: "us" },
    });
    const large = (index: number) => `([ab]*a[ab]{100})?[ab]*c{0,${index}}`;
    const crowd = Array.from({ length: 200 }, (_, index) => candidate(`crowd/${index}`, large(index % 50)));
    const claims = { groups: Array.from({ length: 20_000 }, (_, index) => index) };
    const token = { issuer, subject, audiences: ["us"], claims };
    const found = await fittingOf(
      [...crowd, candidate("other/1", "[ab]+")],
      token,
      "https://console.example",
    );
    expect(found).toContain("other/1");
    expect(found.length).toBeLessThan(50);
  });
});
