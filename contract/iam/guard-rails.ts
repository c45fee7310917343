import * as z from "zod/mini";

import { isUid, rootOf } from "../aip";
import { KINDS } from "../kinds";
import { listEndpoint, reference, resource, type InputOf, type ItemOf } from "../resource";
import { capabilityName, NAME_BYTES, openEnum, text, timestamp } from "../schema";
import type { FieldViolation } from "../status";

export const GUARD_RAIL_KINDS = [
  "GUARD_RAIL_KIND_NO_MACHINES",
  "GUARD_RAIL_KIND_END_REQUIRED",
  "GUARD_RAIL_KIND_SECOND_PERSON",
  "GUARD_RAIL_KIND_ALLOWED_ISSUERS",
  "GUARD_RAIL_KIND_NAME_PATTERN",
  "GUARD_RAIL_KIND_REASON_REQUIRED",
] as const;
export type GuardRailKind = (typeof GUARD_RAIL_KINDS)[number];

export const GUARD_RAIL_MODES = ["GUARD_RAIL_MODE_REFUSE", "GUARD_RAIL_MODE_WARN"] as const;

/** Whose names a guard rail is about. */
export const NAMED_RECORDS = [
  "GUARD_RAIL_NAMES_GROUPS",
  "GUARD_RAIL_NAMES_IDENTITIES",
  "GUARD_RAIL_NAMES_REPOS",
] as const;

/** Guard rails of one group, and values in each of their lists. */
export const MOST_GUARD_RAILS = 50;
const MOST_VALUES = 20;
const MOST_EXCEPTIONS = 100;
/** Days. */
const LONGEST_END = 3_650;
/** How far ahead an exception can end, in days. */
export const EXCEPTION_DAYS = 366;

const PATTERN = /^(?=.{1,100}$)[^*?]*(?:[*?][^*?]*){0,10}$/u;
const PATTERN_SENTENCE =
  "must be 1 to 100 characters: * stands for any text and ? for one character, up to 10 of them";

const list = <T>(one: z.ZodMiniType<T>, most = MOST_VALUES) =>
  z.array(one, "must be a list").check(z.maxLength(most, `must have at most ${most} entries`));

const exception = z.object(
  {
    /** An identity, or a group with everything below it. */
    subject: reference("must be the uid of an identity or group"),
    expirationTime: timestamp(),
    reason: text({ pattern: /^(?=.*\S).{1,500}$/su, sentence: "must be 1 to 500 characters long" }),
  },
  "must have a subject, an end and a reason",
);
export type GuardRailException = z.infer<typeof exception>;

/** The values of all kinds. */
const values = {
  /** The roles it is about, and every role that can do at least as much as one of them. */
  roles: z.optional(list(reference("must be the uid of a role"))),
  /** Also every role with one of these capabilities. */
  capabilities: z.optional(list(capabilityName())),
  /** Days within which access has to end, counted from the change. */
  maxDays: z.optional(
    z
      .number("must be a number of days")
      .check(
        z.refine(
          (days) => Number.isInteger(days) && days >= 1 && days <= LONGEST_END,
          `must be 1 to ${LONGEST_END} days`,
        ),
      ),
  ),
  /** Issuers that identities can trust; * in one stands for any text. */
  issuers: z.optional(list(text({ bytes: NAME_BYTES, sentence: "must be the address of an issuer" }))),
  /** Identities have to name one subject, not a pattern. */
  exactSubject: z.optional(z.boolean("must be true or false")),
  /** Claims for which identities have to require one value each. */
  claims: z.optional(
    list(text({ pattern: /^\S{1,100}$/, sentence: "must be the name of a claim, without blanks" })),
  ),
  names: z.optional(openEnum(NAMED_RECORDS)),
  /** Names have to fit one of these: * stands for any text, ? for one character. */
  patterns: z.optional(list(text({ pattern: PATTERN, sentence: PATTERN_SENTENCE, bytes: 400 }))),
};

/**
 * An extension: a sentence that an organization sets for itself, for access given at a group and below. Removing access,
 * and changing guard rails, is never refused by one.
 */
export const guardRails = resource({
  kind: KINDS.guardRails,
  settable: {
    kind: openEnum(GUARD_RAIL_KINDS),
    mode: openEnum(GUARD_RAIL_MODES),
    description: z.optional(text({ characters: [0, 500], sentence: "must be at most 500 characters long" })),
    ...values,
    exceptions: z.optional(list(exception, MOST_EXCEPTIONS)),
  },
  output: {
    /** In words, with the names that roles have now. */
    sentence: z.optional(z.string()),
    /** The identity that set it last. */
    setBy: z.optional(z.string()),
    setByName: z.optional(z.string()),
  },
  behavior: { createOnly: ["kind"] },
  filters: {},
  sortable: ["uid", "created_at", "updated_at"],
});

export type GuardRail = ItemOf<typeof guardRails>;
export type GuardRailInput = InputOf<typeof guardRails>;
type ValueField = Exclude<keyof GuardRailInput, "kind" | "mode" | "description" | "exceptions">;

/** The values of each kind: one of them is needed, or all of them if `all`. */
export const VALUES_OF: Readonly<
  Record<GuardRailKind, { readonly one?: readonly ValueField[]; readonly all?: readonly ValueField[] }>
> = {
  GUARD_RAIL_KIND_NO_MACHINES: { one: ["roles", "capabilities"] },
  GUARD_RAIL_KIND_END_REQUIRED: { one: ["roles", "capabilities"], all: ["maxDays"] },
  GUARD_RAIL_KIND_SECOND_PERSON: { one: ["roles", "capabilities"] },
  GUARD_RAIL_KIND_ALLOWED_ISSUERS: { one: ["issuers", "exactSubject", "claims"] },
  GUARD_RAIL_KIND_NAME_PATTERN: { all: ["names", "patterns"] },
  GUARD_RAIL_KIND_REASON_REQUIRED: {},
};
const VALUE_FIELDS = [
  ...new Set(Object.values(VALUES_OF).flatMap(({ one = [], all = [] }) => [...one, ...all])),
];

const isSet = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false && value !== "";

/** What is wrong with the values of a kind, beyond each field's own form. */
export function guardRailProblems(given: Readonly<Record<string, unknown>>): FieldViolation[] {
  const known = VALUES_OF[given["kind"] as GuardRailKind];
  if (!known) return [];
  const { one = [], all = [] } = known;
  const taken: readonly string[] = [...one, ...all];
  const problems = VALUE_FIELDS.filter((field) => !taken.includes(field) && isSet(given[field])).map(
    (field) => ({ field: field as string, description: "does not belong to this kind of guard rail" }),
  );
  for (const field of all)
    if (!isSet(given[field])) problems.push({ field, description: "required for this kind of guard rail" });
  const [first] = one;
  if (first && !one.some((field) => isSet(given[field])))
    problems.push({ field: first, description: `one of ${one.join(", ")} is required` });
  return problems;
}

/**
 * What is wrong with the exceptions of a guard rail: whom they name, and ends that are new.
 * @param group uid of the group that the guard rail is set for
 * @param now in milliseconds
 */
export function exceptionProblems(
  exceptions: readonly GuardRailException[],
  before: readonly GuardRailException[],
  group: string,
  now: number,
): FieldViolation[] {
  return exceptions.flatMap(({ subject, expirationTime }, index) => {
    const place = `exceptions[${index}]`;
    const elsewhere = isUid(subject) && subject.includes("/") && rootOf(subject) !== rootOf(group);
    const end = Date.parse(expirationTime);
    const isNew = !before.some((one) => one.subject === subject && Date.parse(one.expirationTime) === end);
    const late = end > now + EXCEPTION_DAYS * 86_400_000;
    return [
      ...(elsewhere ? [{ field: `${place}.subject`, description: "must be in this organization" }] : []),
      ...(isNew && (end <= now || late)
        ? [
            {
              field: `${place}.expirationTime`,
              description: late ? "must be at most a year from now" : "must be in the future",
            },
          ]
        : []),
    ];
  });
}

/** Type of the violations in a refusal (google.rpc.PreconditionFailure); its subject is the uid of the guard rail. */
export const GUARD_RAIL = "GUARD_RAIL";

/** The field of a violation that says that a reason is missing. */
export const REASON_FIELD = "Change-Justification";

const finding = z.looseObject({
  /** Collection of the record that breaks the guard rail. */
  kind: z.string(),
  uid: z.string(),
  /** Of the record; of a role binding, of its identity. */
  name: z.optional(z.string()),
  group: z.string(),
  groupName: z.optional(z.string()),
  /** Of a role binding. */
  identity: z.optional(z.string()),
  role: z.optional(z.string()),
  roleName: z.optional(z.string()),
  /** When the access ends, if it does. */
  expirationTime: z.optional(timestamp()),
  /** What it is that breaks the guard rail, in words. */
  sentence: z.optional(z.string()),
  /** When the last exception for it ends. */
  exceptionEndTime: z.optional(timestamp()),
});
export type GuardRailFinding = z.infer<typeof finding>;

/**
 * A dry run: what breaks a guard rail today, at its group and below. Either one that is set, or its values, before it is
 * set. Nothing breaks one that asks for a reason: that is about changes.
 */
export const listGuardRailFindings = listEndpoint({
  collection: "guardRailFindings",
  path: "/access/v1/guardRailFindings/{parent}",
  access: { at: "parent", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] },
  row: finding,
  filters: {
    guard_rail: z.optional(reference("must be the uid of a guard rail")),
    guard_rail_kind: z.optional(openEnum(GUARD_RAIL_KINDS)),
    roles: values.roles,
    capabilities: values.capabilities,
    max_days: values.maxDays,
    issuers: values.issuers,
    exact_subject: values.exactSubject,
    claims: values.claims,
    names: values.names,
    patterns: values.patterns,
  },
  beside: {
    /** Collections that the caller cannot list there, which may have more. */
    hiddenKinds: z.optional(z.array(z.string())),
  },
  takes: "pages",
  summary: "List what breaks a guard rail today",
});
