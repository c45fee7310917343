import { describe, expect, test } from "vitest";

import { LONG } from "../../../../testing/long";
import { orderOf } from "../version-order";
import { REFERENCES } from "./programs";
import { pairsOf } from "./versions";

const PAIRS = 20_000;
/** Two programs for each pair take minutes where dpkg answers. */
const TIMEOUT = { timeout: 600_000 };

describe.runIf(LONG)("each order is that of its reference @long", () => {
  for (const { type, versions, packages, pairs: most = PAIRS, isVersion, ...program } of REFERENCES)
    test(`${type}: as in ${packages.join(" and ")}`, TIMEOUT, ({ skip }) => {
      skip(!program.isInstalled(), `needs ${packages.join(" and ")}`);
      const own = orderOf(type);
      const pairs = pairsOf(versions, most, (text) => own(text, text) === 0 && isVersion?.(text) !== false);
      const wrong = program.compare(pairs).flatMap((expected, at) => {
        const [one = "", other = ""] = pairs[at] ?? [];
        const found = Math.sign(own(one, other) ?? Number.NaN);
        return found === expected ? [] : [`${one} ${other}: ${found}, not ${expected}`];
      });
      expect(wrong.slice(0, 20)).toEqual([]);
    });
});
