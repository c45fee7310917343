import { compareDigits, compareLists, comparing, type CompareVersions } from "./parts";

/** Numbers alone: the first that differs decides, and what has more of them is newer, zeros included. */
const byNumbers = (format: RegExp, separator: RegExp | string): CompareVersions =>
  comparing(
    (version) => (format.test(version) ? version.split(separator) : undefined),
    (one, other) =>
      compareLists(one, other, (a, b) =>
        a === undefined || b === undefined
          ? Number(a !== undefined) - Number(b !== undefined)
          : compareDigits(a, b),
      ),
  );

/** https://pvp.haskell.org: 1.2.3 is older than 1.2.3.0. */
export const compareHaskell = byNumbers(/^\d+(?:\.\d+)*$/, ".");

/** R's `package_version`: a hyphen is a dot. */
export const compareR = byNumbers(/^\d+(?:[.-]\d+)*$/, /[.-]/);
