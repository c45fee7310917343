import type { Kind } from "platform-contract/kind";
import type { Endpoint } from "platform-contract/endpoint";
import { acceptTerms } from "platform-contract/iam/terms";
import { KINDS } from "platform-contract/kinds";
import { capitalize } from "~/ui/display/capitalize";
import { formatCount } from "~/ui/display/numbers";

/** What can need attention, what is worth most first. */
export const LINES: readonly Line[] = [
  {
    name: "owners",
    kinds: [KINDS.roleBindings, KINDS.roles],
    label: "machines with the owner role",
    found: (count, one) => `${count} ${one ? "machine has" : "machines have"} the owner role`,
    inherited: true,
  },
  {
    name: "keys",
    kinds: [KINDS.identities],
    label: "keys expired or expiring soon",
    found: (count, one) =>
      `${count} ${one ? "identity has keys" : "identities have keys"} expired or expiring soon`,
    act: { words: "Replace keys", by: KINDS.identities.access.update },
  },
  {
    name: "invites",
    kinds: [KINDS.groupInvites],
    label: "invites expiring within 3 days",
    found: (count, one) => `${count} ${one ? "invite expires" : "invites expire"} within 3 days`,
  },
  {
    name: "terms",
    kinds: [KINDS.terms],
    label: "terms not accepted",
    found: (count, one) => `${count} ${one ? "document" : "documents"} of terms not accepted`,
    none: (read) => (read > 0 ? "all terms are accepted" : "no terms to accept"),
    inherited: true,
    act: { words: "Accept", by: acceptTerms.access },
  },
  {
    name: "syncs",
    kinds: [KINDS.repos],
    label: "syncs stopped or stopping soon",
    found: (count, one) => `${count} ${one ? "sync" : "syncs"} stopped or stopping soon`,
  },
  {
    name: "advisories",
    kinds: [KINDS.advisories],
    label: "unfixed advisories",
    found: (count, one) => `${count} ${one ? "advisory" : "advisories"} without a fix`,
    inherited: true,
  },
  {
    name: "unused",
    kinds: [KINDS.identities],
    label: "identities never used",
    found: (count, one) => `${count} ${one ? "identity" : "identities"} never used`,
    none: (read) => (read > 0 ? "all identities have been used" : "no identities"),
    act: { words: "Clean up", by: KINDS.identities.access.delete },
  },
  {
    name: "pulled",
    kinds: [KINDS.tags, KINDS.roleBindings],
    label: "deprecated tags still pulled",
    found: (count, one) => `${count} deprecated ${one ? "tag" : "tags"} still pulled`,
    act: { words: "See who pulls", by: KINDS.roleBindings.access.list },
    needs: "registryUsage",
  },
  {
    name: "deprecated",
    kinds: [KINDS.tags],
    label: "deprecated tags (dated and build tags aren't counted)",
    found: (count, one) => `${count} deprecated ${one ? "tag" : "tags"}; dated and build tags aren't counted`,
    act: { words: "Clean up", by: KINDS.tags.access.delete },
  },
];

export interface Line {
  readonly name: LineName;
  /** Kinds that the user must be able to list. The check finds records of the first one. */
  readonly kinds: readonly [Kind, ...Kind[]];
  /** What it looks for, as part of a sentence. */
  readonly label: string;
  /** What it found, in words. `count`: "2", "At least 54". */
  readonly found: (count: string, one: boolean) => string;
  /** What is said if there is none, by how many records were read; default: "no" and the label. */
  readonly none?: (read: number) => string;
  /** True if what is recorded further up counts in a folder too. */
  readonly inherited?: true;
  /** What to do about it on the list that shows exactly these, for who can; by default "Review". */
  readonly act?: { readonly words: string; readonly by: Endpoint["access"] };
  /** An extension of the service, as `config.json` names it. */
  readonly needs?: "registryUsage";
}

export type LineName =
  | "owners"
  | "keys"
  | "invites"
  | "terms"
  | "syncs"
  | "advisories"
  | "unused"
  | "pulled"
  | "deprecated";

/** A subset of what a line found, with the filters of the list that shows exactly these. */
export interface Part {
  readonly count: number;
  readonly search: Readonly<Record<string, string>>;
  /** Describes these records if a line has several parts. */
  readonly label?: string | undefined;
}

/** What a check has read so far. */
export interface CheckReading {
  readonly parts: readonly Part[];
  /** How many records were checked, and of how many; `total` is undefined if the service doesn't count. */
  readonly read: number;
  readonly total?: number | undefined;
  /** True if everything was read; otherwise there can be more than were found. */
  readonly complete: boolean;
}

/** A list of at most so many records is read to its end by itself, after the first answer. */
export const SOON_READ = 5_000;

/** True if the rest of what a check reads is little enough to be read unasked. */
export const endsSoon = ({ complete, total }: CheckReading): boolean =>
  !complete && total !== undefined && total <= SOON_READ;

/** What a check found, and when it ended, in ms. */
export interface CheckOutcome extends CheckReading {
  readonly at: number;
  /** The state of the lists that it read (`marksOf`), if that was known. */
  readonly mark?: string | undefined;
}

/** "2 of 3 read", "200 read". */
export const readText = ({ read, total }: CheckReading): string =>
  `${formatCount(read)}${total === undefined ? "" : ` of ${formatCount(total)}`} read`;

/** What a check found, in words. Only what was read to the end is "none". `part`: more may be hidden further up. */
export function resultText(line: Line, reading: CheckReading, part = false): string {
  const { label, found } = line;
  const count = countOf(reading);
  if (count > 0) {
    const atLeast = reading.complete && !part ? "" : "At least ";
    return found(`${atLeast}${formatCount(count)}`, count === 1);
  }
  return reading.complete
    ? capitalize(noneText([[line, reading.read]]))
    : `${capitalize(label)}: not checked yet (${readText(reading)})`;
}

/** "no a, b or c; all terms are accepted": what several checks found nothing of, each with how many records it read. */
export function noneText(quiet: readonly (readonly [line: Line, read: number])[]): string {
  const labels = quiet.flatMap(([{ label, none }]) => (none ? [] : [label]));
  return [
    ...(labels.length > 0 ? [`no ${oneOf(labels)}`] : []),
    ...quiet.flatMap(([{ none }, read]) => none?.(read) ?? []),
  ].join("; ");
}

/** "a, b or c" */
export const oneOf = (labels: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(labels);

export const countOf = ({ parts }: CheckReading): number => parts.reduce((sum, { count }) => sum + count, 0);
