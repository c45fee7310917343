import { afterAll, beforeAll, expect, test } from "vitest";

import { startIssuer, type TestIssuer } from "../testing/issuer";
import { expectUnharmed, Target } from "./target";

const IDENTITIES = 60;

let issuer: TestIssuer;
let target: Target;
let organization: string;
beforeAll(async () => {
  issuer = await startIssuer();
  target = await Target.start({ TRUSTED_ISSUERS: issuer.url });
  organization = await target.organization("patterns");
});
afterAll(async () => {
  await target.stop();
  await issuer.stop();
});

/** A text of two letters without a period that patterns could exploit. */
function letters(length: number, seed: number): string {
  let state = seed;
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state > 2 ** 30 ? "a" : "b";
  }).join("");
}

test("tokens with long claims, against patterns that are as costly as they may be", async () => {
  let planted = 0;
  for (let index = 0; index < IDENTITIES; index++)
    for (const size of [450, 100]) {
      const pattern = (name: number) => `([ab]*a[ab]{${size - name}})?[ab]*(${index})?`;
      const claimPatterns = Object.fromEntries(
        Array.from({ length: 20 }, (_, name) => [`c${name}`, pattern(name)]),
      );
      const claimMatch = { issuer: issuer.url, subjectPattern: "[ab]*", claimPatterns };
      if (!(await target.plant(organization, { claimMatch }))) continue;
      planted += 1;
      break;
    }
  const tokens = await Promise.all(
    [1, 2, 3].map((seed) => {
      // Many claims, each as long as allowed.
      const claims = Object.fromEntries(
        Array.from({ length: 20 }, (_, name) => [`c${name}`, letters(990, seed * 100 + name)]),
      );
      return issuer.sign({ ...claims, sub: letters(500, seed), aud: target.service.url }, { seconds: 3_600 });
    }),
  );
  const figures = await target.measure(`${planted} identities with 20 patterns, three tokens`, () =>
    Promise.all(
      tokens.map(async (token) => {
        const { status } = await target.call("GET", "/ping/v2/ping", { token });
        expect(status).toBe(200);
      }),
    ),
  );
  expectUnharmed(figures);
});
