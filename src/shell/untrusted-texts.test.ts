import { describe, expect, it } from "vitest";

import { readPasted } from "./command/pasted";
import { readId } from "~/domains/vulnerabilities/advisories/ids";
import { readPastedText } from "~/domains/vulnerabilities/advisories/pasted/read";
import { parseReference, readReference } from "~/domains/registry/references/reference-text";
import { TextProblem } from "~/frame/untrusted-text/outcome";

import { readReview } from "~/domains/access/access-review/file";
import { decodeFindings } from "~/domains/vulnerabilities/advisories/findings";
import { keysOf } from "~/domains/identities/identities/keys";
import { readToken } from "~/domains/identities/identities/token-tester/read-token";
import { parseTable } from "~/domains/identities/import/parse";
import { readManifest } from "~/domains/registry/manifests/read";
import { namesTest } from "platform-contract/registry/retention-decision";
import { readSnapshot, SnapshotProblem } from "platform-client/snapshots/format";
import { readRequest } from "~/domains/events/subscriptions/read-request";

const TRUST = {
  oidc: { authority: "https://platform.example/oidc" },
  trustedIssuers: ["https://ci.example"],
};

/** Everything that reads a text that somebody pastes, drops or is sent. */
const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  "a pasted manifest": (text) => readManifest({ name: "pasted", text }),
  "a Dockerfile": (text) => readManifest({ name: "Dockerfile", text }),
  YAML: (text) => readManifest({ name: "pasted", text: `a: 1\n${text}` }),
  "a table": (text) => parseTable(text, ["name"]),
  "a review": readReview,
  "a snapshot": readSnapshot,
  "a token": (text) => readToken(text, TRUST as never, 0),
  "a JWKS document": keysOf,
  "findings of a scanner": decodeFindings,
  "a request": (text) => readRequest(text, ""),
  "a text in the palette": (text) => readPasted(text, "https://console.example/"),
  "an id": readId,
  "a report of a scanner": readPastedText,
  "a reference": (text) => [parseReference(text), readReference(text)],
  "a rule for names": (text) => namesTest([text.slice(0, text.length / 2)])?.(text),
};

/** What parsers look for, and what they repeat or skip. */
const PIECES = [
  ..."\n \t\r#\\\"'`:;,.-_/=*|>&!?%@{}[]()<$~+^0a",
  ..."\u2028\u00A0\0",
  "\r\n",
  "\\\n",
  " \n",
  "\n\n",
  "- ",
  "a: ",
  "a:\n",
  "? ",
  "--- \n",
  "*a ",
  "&a ",
  "<<: *a\n",
  "- - ",
  "{a: ",
  "[a, ",
  "!!str ",
  "|\n",
  "FROM ",
  "FROM a AS b\n",
  "FROM --platform=a ",
  "ARG A=",
  "ARG A=$A$A\n",
  "COPY --from=",
  "RUN --mount=",
  "--mount=a,from=",
  "from=a,",
  "$A",
  "${A:-",
  "${",
  "image: a\n",
  "tag: 1\n",
  "repository: ",
  "newTag: a\n",
  "sha256:",
  "a/",
  "a.",
  "a.a-",
  "1:",
  ":a",
  "@sha256:a",
  "docker pull ",
  "localhost/",
  "bearer ",
  "authorization: ",
  "eyJ",
  "a.b.",
  "429 ",
  "401 ",
  "manifest for ",
  "repository a ",
  "denied ",
  "CVE-2026-",
  "CVE-2026-1234 ",
  "ALAS2-",
  "SNYK-A",
  "│ ",
  "│ Library │ Vulnerability │ Version │\n",
  "│ a │ CVE-2026-1 │ 1 │\n",
  "pkg:apk/a",
  "%40",
  "-1.0-r",
  "==1",
  "https://pypi.org/project/a",
  "\u001b[1m",
  "redis 7.2.4-r1 ",
  "GHSA-2222-",
  `${"a".repeat(40)}/`,
  "0123456789abcdef/",
  '"a":',
  '{"a":',
  '[{"a":1},',
  '"uid":"a",',
  ",",
  '""',
  '"a",',
  ";",
  "a,b\n",
  "'=",
  "=1,",
  "pr-*",
  "*a*",
] as const;

const SHAPES = 2_000;
/** In characters. */
const SIZES = [4_000, 32_000] as const;
/**
 * Every fourth shape: a report is read word by word. The libraries for YAML and CSV take some 25 ms for an error, or for
 * anything: shorter texts too.
 */
const SLOW: Readonly<Record<string, readonly [small: number, large: number]>> = {
  "a pasted manifest": [500, 4_000],
  YAML: [500, 4_000],
  "a table": [1_000, 8_000],
  "a report of a scanner": [4_000, 32_000],
};
const EVERY = 4;
/**
 * The library for YAML calls itself for each nested mapping, and each collection of garbage walks that stack: near the limit,
 * though in a worker that is ended after a second. Not certain enough beside other tests for each commit.
 */
const DEEP = ["a pasted manifest", "YAML"];
/** Below this, in milliseconds, it is not told from noise; a text of this size that takes less harms nobody. */
const NOISE = 60;
/** How much more than n log n is taken for the noise of measuring. */
const SAFETY = 4;
/** A text is steep if it is so this many times in a row: beside other processes, one measurement can be several times too high. */
const TIMES = 12;

/** A sequence of numbers below 1 (mulberry32), the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A beginning, something that is repeated, and an end; each of one to three pieces. */
interface Shape {
  readonly begin: string;
  readonly repeated: string;
  readonly end: string;
}

function shapes(): Shape[] {
  const random = randomFrom(20_261_128);
  const pieces = (least: number, most: number): string => {
    const count = least + Math.floor(random() * (most - least + 1));
    return Array.from({ length: count }, () => PIECES[Math.floor(random() * PIECES.length)]).join("");
  };
  // Each piece alone, then what chance makes of them.
  return Array.from({ length: SHAPES }, (_, index) => ({
    begin: index < PIECES.length ? "" : pieces(0, 2),
    repeated: PIECES[index] ?? pieces(1, 3),
    end: pieces(0, 2),
  }));
}

const textOf = ({ begin, repeated, end }: Shape, size: number): string =>
  `${begin}${repeated.repeat(Math.ceil(size / repeated.length))}${end}`;

/** CPU milliseconds of this process: what else the machine does counts for nothing. */
function costOf(parse: (text: string) => unknown, text: string): number {
  const from = process.cpuUsage();
  try {
    parse(text);
  } catch (error) {
    // A text that is nested too deeply ends a parser, in a worker or before the page has anything.
    if (![TextProblem, SnapshotProblem, RangeError].some((known) => error instanceof known)) throw error;
  }
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

/** Whether the larger text of a shape costs more than its size explains, each time it is measured. */
function isSteep(parse: (text: string) => unknown, shape: Shape, sizes: readonly [number, number]): boolean {
  const [small, large] = sizes;
  const growth = (large * Math.log(large)) / (small * Math.log(small));
  return Array.from({ length: TIMES }).every(() => {
    const cost = costOf(parse, textOf(shape, large));
    return cost > NOISE && cost > costOf(parse, textOf(shape, small)) * growth * SAFETY;
  });
}

describe.each(Object.entries(PARSERS))("%s", (what, parse) => {
  it.skipIf(DEEP.includes(what) && process.env["TEST_LONG"] !== "1")(
    "takes no longer than its length explains, whatever it is",
    () => {
      const slow = SLOW[what];
      const tried = shapes().filter((_, index) => slow === undefined || index % EVERY === 0);
      expect(tried.filter((shape) => isSteep(parse, shape, slow ?? SIZES))).toEqual([]);
    },
  );
});
