import { expect, ownService, test } from "../faulty";
import { loseAnswers, NONE_LOST } from "../lost-answers";
import { folder, identity } from "../writes";

// Two hundred with `npm run test:long`.
const COUNT = process.env["TEST_LONG"] === "1" ? 102 : 6;

for (const [kind, clock, ahead] of [
  [folder, "right", 0],
  [identity, "an hour ahead", 3_600_000],
] as const)
  test(
    `${COUNT} answers to writes of a ${kind.noun} are lost with a clock that is ${clock}, and nothing is made twice or lost`,
    ownService,
    async ({ faulty }) => {
      test.setTimeout(30_000 + COUNT * 10_000);
      const { writes, ...figures } = await loseAnswers(faulty, kind, COUNT, ahead);
      process.stdout.write(
        `\n${writes} lost answers, ${kind.noun}: ${figures.duplicates} duplicates, ${figures.lostEdits} lost edits, ${figures.falseClaims} false claims\n`,
      );
      expect(writes).toBe(COUNT);
      expect(figures).toEqual(NONE_LOST);
    },
  );
