import { compareDigits, compareLists, comparing, sign } from "./parts";
import { isDigits } from "./semantic";

/** https://docs.ruby-lang.org/en/master/Gem/Version.html */
const VERSION = /^\s*\d+(?:\.[\da-zA-Z]+)*(?:-[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?\s*$/;

const withoutZeros = (segments: readonly string[]): readonly string[] =>
  segments.slice(0, segments.findLastIndex((segment) => !/^0+$/.test(segment)) + 1);

/** Its segments, without the zeros before the first text and at the end; a hyphen begins a pre-release. */
function read(version: string): readonly string[] | undefined {
  if (!VERSION.test(version)) return undefined;
  const segments = version.replaceAll("-", ".pre.").match(/\d+|[a-z]+/gi) ?? [];
  const text = segments.findIndex((segment) => !isDigits(segment));
  const at = text < 0 ? segments.length : text;
  return [...withoutZeros(segments.slice(0, at)), ...withoutZeros(segments.slice(at))];
}

/** A text, which is a pre-release, comes before numbers; what is missing is 0. */
export const compareGem = comparing(read, (one, other) =>
  compareLists(one, other, (a = "0", b = "0") => {
    if (isDigits(a) !== isDigits(b)) return isDigits(a) ? 1 : -1;
    return isDigits(a) ? compareDigits(a, b) : sign(a, b);
  }),
);
