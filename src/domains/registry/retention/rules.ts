import * as z from "zod/mini";

import { RETENTION_LINES, RETENTION_NAMES, type RetentionValues } from "platform-contract/registry/retention";
import { KINDS } from "platform-contract/registry/tag-names";

/** What the newest are kept of: `1.27.x`, `1.x`, or all versions of one variant. */
export const LINES = ["minor", "major", "variant"] as const;
export type Line = (typeof LINES)[number];

export const KIND_NAMES = KINDS.map(({ kind }) => kind);
export type KindName = (typeof KIND_NAMES)[number];

/** Longest text of names, and the largest numbers. */
const MOST_TEXT = 500;
const MOST_DAYS = 3650;
const MOST_KEPT = 1000;

const LINE_OF: Readonly<Record<Line, (typeof RETENTION_LINES)[number]>> = {
  minor: "RETENTION_LINE_MINOR",
  major: "RETENTION_LINE_MAJOR",
  variant: "RETENTION_LINE_VARIANT",
};
const NAMES_OF: Readonly<Record<KindName, (typeof RETENTION_NAMES)[number]>> = {
  dates: "RETENTION_NAMES_DATES",
  epochs: "RETENTION_NAMES_EPOCHS",
  referrers: "RETENTION_NAMES_REFERRERS",
};

/** A whole number as typed; "" if the rule is not set. */
const number = (most: number, what: string) =>
  z
    .string()
    .check(
      z.refine(
        (text) => text === "" || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= most),
        `Enter a whole number of ${what} from 1 to ${most}, or nothing`,
      ),
    );

/** The rules as they are filled in, right or wrong, and as they are in a file. */
const shape = z.object({
  names: z.string(),
  /** Missing in files of before, as the next two are. */
  exempt: z._default(z.string(), ""),
  olderThanDays: z.string(),
  /** With a registry. */
  notPulledDays: z._default(z.string(), ""),
  /** A tag that was only asked for, which is no download, counts as pulled. */
  askedCounts: z._default(z.boolean(), true),
  deprecated: z.boolean(),
  keepNewest: z.string(),
  line: z.enum(LINES),
  /** Kinds of names that lists leave out by default. */
  kinds: z.array(z.enum(KIND_NAMES)),
});

/** What the rules have to be for a preview. */
const rulesSchema = z
  .object({
    /** Patterns with `*`, separated by commas; "" for all names. */
    names: z.string().check(z.maxLength(MOST_TEXT, `At most ${MOST_TEXT} characters`)),
    exempt: z.string().check(z.maxLength(MOST_TEXT, `At most ${MOST_TEXT} characters`)),
    olderThanDays: number(MOST_DAYS, "days"),
    notPulledDays: number(MOST_DAYS, "days"),
    deprecated: z.boolean(),
    keepNewest: number(MOST_KEPT, "tags"),
  })
  .check(
    z.refine(
      ({ names, olderThanDays, notPulledDays, deprecated, keepNewest }) =>
        [names.trim(), olderThanDays, notPulledDays, keepNewest].some((text) => text !== "") || deprecated,
      { error: "Set at least one rule. Without any, every tag would be deleted.", path: ["names"] },
    ),
  );

/** Which tags go; all that are set have to hold. Numbers are texts, as typed. */
export type Rules = z.infer<typeof shape>;

export const NO_RULES: Rules = {
  names: "",
  exempt: "",
  olderThanDays: "",
  notPulledDays: "",
  askedCounts: true,
  deprecated: false,
  keepNewest: "",
  line: "minor",
  kinds: [],
};

const patternsOf = (text: string): string[] =>
  text.split(",").flatMap((one) => (one.trim() === "" ? [] : [one.trim()]));

/** Rules that nothing is wrong with, as the service and the decision take them. */
export const valuesOf = (rules: Rules): RetentionValues => ({
  ...(patternsOf(rules.names).length > 0 && { namePatterns: patternsOf(rules.names) }),
  ...(patternsOf(rules.exempt).length > 0 && { exemptPatterns: patternsOf(rules.exempt) }),
  ...(rules.olderThanDays !== "" && { olderThanDays: Number(rules.olderThanDays) }),
  ...(rules.notPulledDays !== "" && { notPulledDays: Number(rules.notPulledDays) }),
  ...(rules.notPulledDays !== "" && !rules.askedCounts && { downloadsOnly: true }),
  ...(rules.deprecated && { deprecatedOnly: true }),
  ...(rules.keepNewest !== "" && {
    keepNewest: Number(rules.keepNewest),
    keepNewestOf: LINE_OF[rules.line],
  }),
  ...(rules.kinds.length > 0 && { includedNames: rules.kinds.map((kind) => NAMES_OF[kind]) }),
});

const typed = (number: number | undefined): string => (number === undefined ? "" : String(number));

/** The other direction of `valuesOf`. */
export const rulesOf = (values: RetentionValues): Rules => ({
  names: (values.namePatterns ?? []).join(", "),
  exempt: (values.exemptPatterns ?? []).join(", "),
  olderThanDays: typed(values.olderThanDays),
  notPulledDays: typed(values.notPulledDays),
  askedCounts: values.downloadsOnly !== true,
  deprecated: values.deprecatedOnly === true,
  keepNewest: typed(values.keepNewest),
  line: LINES.find((line) => LINE_OF[line] === values.keepNewestOf) ?? "minor",
  kinds: KIND_NAMES.filter((kind) => values.includedNames?.includes(NAMES_OF[kind])),
});

/** What is wrong with rules, by field. */
export function problemsOf(rules: Rules): Partial<Record<keyof Rules, string>> {
  const { error } = rulesSchema.safeParse(rules);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]));
}

const FORMAT = "platform-console/retention";
const VERSION = 1;

const file = z.object({ format: z.literal(FORMAT), version: z.number(), rules: z.unknown() });

/** The file can't be read; the message says why. */
export class RulesProblem extends Error {}

export const rulesFile = (rules: Rules): string =>
  `${JSON.stringify({ format: FORMAT, version: VERSION, rules }, undefined, 2)}\n`;

/** Reads the text of a file with rules, which a preview can still find wrong. Throws a RulesProblem. */
export function readRules(text: string): Rules {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new RulesProblem("This file isn't valid JSON.");
  }
  const head = file.safeParse(json);
  if (!head.success)
    throw new RulesProblem("This file has no retention rules. Choose one downloaded from this page.");
  if (head.data.version !== VERSION)
    throw new RulesProblem(
      `These rules have version ${head.data.version}, but this console reads version ${VERSION}.`,
    );
  const rules = shape.safeParse(head.data.rules);
  if (rules.success) return rules.data;
  const where = rules.error.issues[0]?.path.join(".") || "rules";
  throw new RulesProblem(`These rules are damaged at ${where}: the file was changed or cut off.`);
}
