import { describe, expect, it } from "vitest";

import { fittingOf } from "./pattern-identities";

describe("matching a token with patterns", () => {
  it("finds those that fit, and lets others have their turn however many and large they are", async () => {
    // Nothing of these is kept compiled: together they are too large for that.
    const large = (index: number) => `x{${600 - index}}[a-z]{0,90}|repo:acme/app-${index}:.*`;
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
});
