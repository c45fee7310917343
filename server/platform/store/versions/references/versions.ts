/** Random versions of an ecosystem, and pairs of them that are alike in much: those are what an order gets wrong. */

/** https://en.wikipedia.org/wiki/Linear_congruential_generator, with the constants of Numerical Recipes. */
export function chances(seed: number) {
  let state = seed;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return {
    below,
    one: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    in: (percent: number): boolean => below(100) < percent,
    /** Some of what `make` makes, joined. */
    some: (most: number, make: () => string, between = ""): string =>
      Array.from({ length: below(most + 1) }, make).join(between),
  };
}
export type Chances = ReturnType<typeof chances>;

const NUMBERS = ["0", "0", "1", "1", "2", "3", "9", "10", "11", "19", "20", "100", "2024", "20240115"];
const number = ({ one }: Chances): string => one(NUMBERS);
const padded = (c: Chances): string => (c.in(10) ? `0${number(c)}` : number(c));
const numbers = (c: Chances, most = 4): string =>
  [number(c), ...Array.from({ length: c.below(most) }, () => number(c))].join(".");

export const MAKERS: Readonly<Record<string, (c: Chances) => string>> = {
  apk(c) {
    const suffix = () =>
      `_${c.one(["alpha", "beta", "pre", "rc", "cvs", "svn", "git", "hg", "p"])}${c.in(60) ? padded(c) : ""}`;
    const rest = [padded(c), ...Array.from({ length: c.below(4) }, () => padded(c))].join(".");
    const letter = c.in(15) ? c.one(["a", "b", "z"]) : "";
    const commit = c.in(5) ? `~${c.one(["0a1b", "ff", "12", "123abc"])}` : "";
    return `${rest}${letter}${c.in(40) ? c.some(2, suffix) : ""}${commit}${c.in(60) ? `-r${number(c)}` : ""}`;
  },
  deb(c) {
    const piece = () =>
      c.one([number(c), padded(c), ".", ".", "+", "~", "~~", "a", "Z", "rc", "dfsg", "+b", "~rc", "+deb12u"]);
    const upstream = `${number(c)}${c.some(6, piece)}${c.in(10) ? `-${number(c)}` : ""}`;
    const revision = c.in(70) ? `-${number(c)}${c.some(3, piece)}` : "";
    const hyphen = upstream.includes("-") && revision === "" ? "-1" : "";
    return `${c.in(15) ? `${number(c)}:` : ""}${upstream}${revision}${hyphen}`;
  },
  rpm(c) {
    const piece = () =>
      c.one([
        number(c),
        padded(c),
        ".",
        ".",
        "_",
        "+",
        "~",
        "^",
        "a",
        "Z",
        "rc",
        "git",
        ".el",
        "^2024",
        "~rc",
      ]);
    const version = `${number(c)}${c.some(6, piece)}`;
    return `${c.in(15) ? `${number(c)}:` : ""}${version}${c.in(75) ? `-${number(c)}${c.some(4, piece)}` : ""}`;
  },
  maven(c) {
    const word = () =>
      c.one(
        "alpha a beta b milestone m rc cr snapshot ga final release sp RC Final SNAPSHOT GA jre android x redhat v dev".split(
          " ",
        ),
      );
    const piece = () =>
      c.one([".", "-", ".", "-", "", "_"]) + c.one([padded(c), number(c), word(), word() + number(c)]);
    return `${numbers(c)}${c.some(3, piece)}`;
  },
  python(c) {
    const epoch = c.in(8) ? `${c.one(["0", "1", "2"])}!` : "";
    const pre = c.in(40)
      ? `${c.one(["", ".", "-", "_"])}${c.one(["a", "b", "c", "rc", "alpha", "beta", "pre", "preview", "RC"])}${c.in(80) ? c.one(["", ".", "-"]) + padded(c) : ""}`
      : "";
    const post = c.in(25)
      ? c.one([`.post${padded(c)}`, `-${number(c)}`, ".post", `-r${number(c)}`, `.rev${number(c)}`])
      : "";
    const dev = c.in(25) ? `${c.one(["", ".", "-", "_"])}dev${c.in(80) ? padded(c) : ""}` : "";
    const local = c.in(15)
      ? `+${c.one(["cu118", "cu121", "1", "10", "abc.1", "abc.10", "ABC", "1.abc", "local-2"])}`
      : "";
    return `${c.in(5) ? "v" : ""}${epoch}${[padded(c), ...Array.from({ length: c.below(4) }, () => padded(c))].join(".")}${pre}${post}${dev}${local}`;
  },
  gem(c) {
    const piece = () =>
      `.${c.one([number(c), padded(c), "a", "b", "pre", "rc", "beta", "rc1", "beta10", "A", "java", "2a3"])}`;
    const hyphen = c.in(10) ? `-${c.one(["java", "x86-mingw32", "1", "pre.2", "rc"])}` : "";
    return `${padded(c)}${c.some(5, piece)}${hyphen}`;
  },
  composer(c) {
    const word = () => c.one(["alpha", "a", "beta", "b", "RC", "rc", "patch", "pl", "p", "stable"]);
    const modifier = c.in(50)
      ? `${c.one(["", "-", ".", "_"])}${word()}${c.in(60) ? c.one(["", ".", "-"]) + number(c) : ""}${c.in(10) ? ".2" : ""}`
      : "";
    const branch = c.in(6) ? `${c.below(4)}.${c.one(["x", "1.x", "2"])}-dev` : "";
    if (branch !== "") return branch;
    const date = c.in(6)
      ? c.one(["20240115", "2024.01.15", "2024-01-15", "20240115.120000", "2023.12.31"])
      : "";
    const small = () => c.one(["0", "1", "2", "9", "10", "11", "01", "007"]);
    const own = date || [small(), ...Array.from({ length: c.below(4) }, small)].join(".");
    return `${c.in(20) ? "v" : ""}${own}${modifier}${c.in(6) ? "-dev" : ""}${c.in(5) ? "+build.3" : ""}`;
  },
  semver(c) {
    const id = () =>
      c.one([number(c), "alpha", "beta", "rc", "rc1", "rc10", "x-y", "-", "0a", "Alpha", "next"]);
    const three = [number(c), number(c), number(c)].join(".");
    const pre = c.in(55) ? `-${id()}${c.some(3, () => `.${id()}`)}` : "";
    return `${three}${pre}${c.in(15) ? `+${id()}.${padded(c)}` : ""}`;
  },
};

const PART = /\d+|[a-z]+|[^a-z\d]/gi;

/** A version that differs from another in a part; it can be none. */
function varied(version: string, c: Chances): string {
  const parts: string[] = version.match(PART) ?? [];
  const at = c.below(parts.length);
  const other = c.one([...(version.match(PART) ?? []), "0", "1", "01", ".", "a"]);
  return (
    c.in(50) ? parts.with(at, other) : c.in(50) ? parts.toSpliced(at, 1) : parts.toSpliced(at, 0, other)
  ).join("");
}

export type Pair = readonly [string, string];

/** Half of the pairs are two versions of their own, half a version and one that differs in a part. */
export function pairsOf(
  name: keyof typeof MAKERS,
  count: number,
  isVersion: (text: string) => boolean,
  seed = 1,
): Pair[] {
  const c = chances(seed);
  const make = MAKERS[name] as (c: Chances) => string;
  const valid = (attempt: () => string): string => {
    for (;;) {
      const text = attempt();
      if (isVersion(text)) return text;
    }
  };
  return Array.from({ length: count }, (): Pair => {
    const one = valid(() => make(c));
    let tries = 0;
    const other = valid(() => ((tries += 1) % 20 !== 0 && c.in(50) ? varied(one, c) : make(c)));
    return c.in(50) ? [one, other] : [other, one];
  });
}
