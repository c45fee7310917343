import * as z from "zod/mini";

import { isUid, isWithin, parentOf } from "platform-contract/aip";
import { TextProblem } from "~/frame/untrusted-text/outcome";
import { isOneOf } from "~/ui/keys";

/** The `format` field that identifies the file of a review. */
const FORMAT = "platform-console-access-review";
const VERSION = 1;

/** Most role bindings in one review: they are held in this browser. */
export const MAX_BINDINGS = 5_000;
/** Most role bindings from further up that a review lists. */
export const MAX_INHERITED = 5_000;
/** The gap if what was granted above the scope is hidden. */
export const ABOVE_HIDDEN =
  "Inherited from above: your role doesn't let you see roles granted further up, so who has access through them is unknown.";
/** Longest file that is read, in bytes. */
export const MAX_BYTES = 20_000_000;
/** Longest note, in characters. */
export const MAX_NOTE_CHARS = 1_000;

export const DECISIONS = ["keep", "reduce", "revoke"] as const;
export type Decision = (typeof DECISIONS)[number];

/** What became of a decision, by the API. */
export const RESULTS = ["kept", "reduced", "revoked", "open", "changed", "gone", "undecided"] as const;
export type Result = (typeof RESULTS)[number];

/** A record by uid, with its name when it was read. */
export interface NamedRecord {
  readonly uid: string;
  readonly name: string;
}

/** The last time of something, as far as is known since a time; null: not since then. */
export interface LastUse {
  readonly since: string;
  readonly last: string | null;
}

/** What a reader of a binding would look up by hand. A missing part is unknown. */
export interface Evidence {
  /** When it was granted; by whom only if the audit log says so. */
  readonly granted?:
    | {
        readonly at?: string | undefined;
        readonly by?: string | undefined;
        readonly why?: string | undefined;
      }
    | undefined;
  /** The same role in the same folder was held before, and removed. */
  readonly first?: { readonly at: string; readonly by?: string | undefined } | undefined;
  /** The last change of its role since. */
  readonly changed?:
    | { readonly at: string; readonly by: string; readonly why?: string | undefined }
    | undefined;
  /** When the identity last signed in; null: never. */
  readonly seen?: string | null | undefined;
  /** A role from the same folder or above that allows the same or more: "owner in Acme". */
  readonly covered?: string | undefined;
  /** The reader can't see what was granted above the scope: without `covered` it is unknown. */
  readonly aboveUnknown?: boolean | undefined;
  /** A machine that is owner or editor. */
  readonly strong?: boolean | undefined;
  /** Of the changes that the role allows, how many the log has since that time. */
  readonly used?: { readonly since: string; readonly some: number; readonly of: number } | undefined;
  /** Of all that the role allows, how much was used since that time, by the service's own count, and when last; in place of `used`. */
  readonly uses?:
    | (LastUse & {
        readonly some: number;
        readonly of: number;
        /** Groups where the identity has roles, if a list that names none is counted in some of them only. */
        readonly groups?: number | undefined;
      })
    | undefined;
  /** When the identity last pulled here, by the registry; missing if the role can't pull, or nobody counts pulls. */
  readonly pulled?: LastUse | undefined;
  /** When it last pushed here, by the log. */
  readonly pushed?: LastUse | undefined;
  readonly ends?: string | undefined;
  /** The identity belongs to a folder that doesn't reach here. */
  readonly idle?: boolean | undefined;
}

/** A role binding under review. */
export interface ReviewItem {
  readonly uid: string;
  readonly identity: NamedRecord & { readonly machine: boolean };
  readonly role: NamedRecord;
  /** Names from the scope down to the folder. */
  readonly folder: string;
  readonly own: boolean;
  readonly evidence: Evidence;
  readonly decision?: Decision | undefined;
  /** The smaller role. */
  readonly to?: NamedRecord | undefined;
  readonly note?: string | undefined;
  /** Who decided, and when. */
  readonly by?: string | undefined;
  readonly at?: string | undefined;
  /** What happened to the binding since it was first read, in words. */
  readonly since?: string | undefined;
  /** True if it no longer exists. */
  readonly gone?: boolean | undefined;
  /** Set when the review is signed off. */
  readonly result?: Result | undefined;
}

/** A role binding from further up that counts in the scope: it is decided where it was granted. */
export interface InheritedBinding {
  readonly uid: string;
  readonly identity: NamedRecord;
  readonly role: NamedRecord;
  /** The name of the folder or organization where it was granted. */
  readonly folder: string;
}

export interface SignOff {
  readonly by: string;
  readonly at: string;
  /** SHA-256 of the CSV file, in hex. */
  readonly sha256: string;
}

/** A campaign: every role binding of a scope, and what is decided about it. */
export interface Review {
  readonly id: string;
  readonly title: string;
  readonly scope: NamedRecord;
  /** The address of the API. */
  readonly service: string;
  readonly started: { readonly by: string; readonly at: string };
  /** When the bindings were last read. */
  readonly read: string;
  /** Why evidence is missing, a sentence each. */
  readonly gaps: readonly string[];
  readonly items: readonly ReviewItem[];
  /** Missing in reviews that were begun before this was read. */
  readonly inherited?: readonly InheritedBinding[] | undefined;
  /** Who reviews a folder and those below it, by the folder's uid. */
  readonly reviewers: Readonly<Record<string, string>>;
  /** Set in the file of one reviewer, which has only their bindings. */
  readonly part?: string | undefined;
  /** True once decisions were sent. */
  readonly applied?: boolean | undefined;
  readonly signedOff?: SignOff | undefined;
}

/** The uid of the folder that a binding is in. */
export const folderOf = ({ uid }: Pick<ReviewItem, "uid">): string => parentOf(uid);

const short = z.string().check(z.maxLength(1_000));
const uid = z.string().check(z.refine(isUid));
const time = z.string().check(
  z.maxLength(40),
  z.refine((text) => !Number.isNaN(Date.parse(text))),
);
const named = z.object({ uid, name: short });
const oneOf = <T extends string>(values: readonly T[]) => z.custom<T>((value) => isOneOf(values, value));
const count = z.number().check(z.refine((value) => Number.isInteger(value) && value >= 0));
const lastUse = z.object({ since: time, last: z.nullable(time) });
const flag = z.optional(z.boolean());
const why = z.optional(short);
const head = z.looseObject({ format: z.string(), version: z.number() });
const file = z.object({
  id: z.string().check(z.refine((text) => /^[0-9a-f-]{36}$/.test(text))),
  title: short,
  scope: named,
  service: short,
  started: z.object({ by: short, at: time }),
  read: time,
  gaps: z.array(short),
  items: z.array(
    z.object({
      uid,
      identity: z.object({ uid, name: short, machine: z.boolean() }),
      role: named,
      folder: short,
      own: z.boolean(),
      evidence: z.object({
        granted: z.optional(z.object({ at: z.optional(time), by: z.optional(short), why })),
        first: z.optional(z.object({ at: time, by: z.optional(short) })),
        changed: z.optional(z.object({ at: time, by: short, why })),
        seen: z.optional(z.nullable(time)),
        covered: z.optional(short),
        aboveUnknown: flag,
        strong: flag,
        used: z.optional(z.object({ since: time, some: count, of: count })),
        uses: z.optional(
          z.object({
            since: time,
            last: z.nullable(time),
            some: count,
            of: count,
            groups: z.optional(count),
          }),
        ),
        pulled: z.optional(lastUse),
        pushed: z.optional(lastUse),
        ends: z.optional(time),
        idle: flag,
      }),
      decision: z.optional(oneOf(DECISIONS)),
      to: z.optional(named),
      note: z.optional(z.string().check(z.maxLength(MAX_NOTE_CHARS))),
      by: z.optional(short),
      at: z.optional(time),
      since: z.optional(short),
      gone: flag,
      result: z.optional(oneOf(RESULTS)),
    }),
  ),
  inherited: z.optional(
    z
      .array(z.object({ uid, identity: named, role: named, folder: short }))
      .check(z.maxLength(MAX_INHERITED, `more than ${MAX_INHERITED} inherited role bindings`)),
  ),
  reviewers: z.array(z.object({ folder: uid, reviewer: short })),
  part: z.optional(short),
  applied: flag,
  signedOff: z.optional(
    z.object({
      by: short,
      at: time,
      sha256: z.string().check(z.refine((hex) => /^[0-9a-f]{64}$/.test(hex))),
    }),
  ),
});

/** Reads the text of a file. Throws a TextProblem. */
export function readReview(text: string): Review {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new TextProblem("This file isn't valid JSON, so it isn't an access review.");
  }
  const begins = head.safeParse(json);
  if (!begins.success || begins.data.format !== FORMAT)
    throw new TextProblem("This file isn't an access review. Choose one downloaded from this page.");
  if (begins.data.version !== VERSION)
    throw new TextProblem(
      `This access review has version ${begins.data.version}, but this console reads version ${VERSION}.`,
    );
  const read = file.safeParse(json);
  if (!read.success) {
    const where = read.error.issues[0]?.path.join(".") ?? "";
    throw new TextProblem(
      `This access review is damaged${where === "" ? "" : ` at ${where}`}: it was changed or cut off.`,
    );
  }
  const { reviewers, ...review } = read.data;
  const { items, scope } = review;
  if (items.length > MAX_BINDINGS)
    throw new TextProblem(`This access review has more than ${MAX_BINDINGS} role bindings.`);
  if (new Set(items.map((item) => item.uid)).size !== items.length)
    throw new TextProblem("This access review is damaged at items: it contains a role binding twice.");
  const outside = items.findIndex((item) => !isWithin(parentOf(item.uid), scope.uid));
  if (outside >= 0)
    throw new TextProblem(
      `This access review is damaged at items.${outside}: the role binding isn't in the review's scope.`,
    );
  const aimless = items.findIndex(({ decision, to }) => (decision === "reduce") !== (to !== undefined));
  if (aimless >= 0)
    throw new TextProblem(
      `This access review is damaged at items.${aimless}: only a reduced role binding has another role.`,
    );
  return {
    ...review,
    reviewers: Object.fromEntries(reviewers.map(({ folder, reviewer }) => [folder, reviewer])),
  };
}

/** The text of the file, one role binding a line. */
export function reviewFile({ items, reviewers, ...review }: Review): string {
  const facts = {
    format: FORMAT,
    version: VERSION,
    ...review,
    reviewers: Object.entries(reviewers).map(([folder, reviewer]) => ({ folder, reviewer })),
  };
  const lines = Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)},\n`);
  const rows = items.map((item) => `\n    ${JSON.stringify(item)}`);
  return `{\n${lines.join("")}  "items": [${rows.join(",")}\n  ]\n}\n`;
}
