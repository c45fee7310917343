import { CAPABILITY_NAMES } from "platform-contract/capability";
import {
  guardRails,
  GUARD_RAIL_KINDS,
  listGuardRailFindings,
  VALUES_OF,
  type GuardRail,
  type GuardRailInput,
  type GuardRailKind,
} from "platform-contract/iam/guard-rails";
import { infinite } from "~/api/queries/queries";
import { defineScreens } from "~/frame/define";
import { choice, contains, searched, type SearchOf } from "~/frame/list/filters";
import { isKeyOf } from "~/ui/keys";

/** What each kind is called, and what it is for. */
export const KIND_WORDS: Readonly<Record<GuardRailKind, { readonly label: string; readonly hint: string }>> =
  {
    GUARD_RAIL_KIND_NO_MACHINES: {
      label: "Not for machines",
      hint: "Roles that CI jobs, clusters and services can't have.",
    },
    GUARD_RAIL_KIND_END_REQUIRED: {
      label: "An end is required",
      hint: "Grants of some roles must end within a number of days.",
    },
    GUARD_RAIL_KIND_SECOND_PERSON: {
      label: "A second person is required",
      hint: "Some roles are given only to people who asked for access, by another person.",
    },
    GUARD_RAIL_KIND_ALLOWED_ISSUERS: {
      label: "Allowed issuers and claims",
      hint: "What the tokens of machines have to say.",
    },
    GUARD_RAIL_KIND_NAME_PATTERN: {
      label: "Names by pattern",
      hint: "How folders, identities or repos are named.",
    },
    GUARD_RAIL_KIND_REASON_REQUIRED: {
      label: "A reason is required",
      hint: "Changes that give access say why.",
    },
  };

export const kindLabel = (kind = ""): string => (isKeyOf(KIND_WORDS, kind) ? KIND_WORDS[kind].label : kind);

export const modeWord = ({ mode }: Pick<GuardRail, "mode">): string =>
  mode === "GUARD_RAIL_MODE_WARN" ? "Warns" : "Refuses";

export const capabilityName = (wire: string): string =>
  isKeyOf(CAPABILITY_NAMES, wire) ? CAPABILITY_NAMES[wire] : wire;

const filters = {
  kind: choice<GuardRail>(
    "Kind",
    GUARD_RAIL_KINDS.map((value) => ({ value, label: KIND_WORDS[value].label })),
    { matches: (kind) => (rail) => rail.kind === kind },
  ),
  contains: searched(contains<GuardRail>("Guard rail", (rail) => [rail.sentence, rail.description])),
};
export type GuardRailSearch = SearchOf<typeof filters>;

export const guardRailScreens = defineScreens(guardRails, {
  drawers: { load: async () => (await import("./drawers")).GuardRailDrawers, page: ["except"] },
  filters,
  deletion: {
    consequence: "What it refuses or warns of is possible again. Its exceptions are deleted too.",
    changesAccess: true,
  },
  nameOf: (rail: GuardRail) => rail.sentence ?? kindLabel(rail.kind),
});

/** The values that belong to the kind of a guard rail. */
export function valuesOfKind(values: Partial<GuardRailInput>): Partial<GuardRailInput> {
  const { kind = "" } = values;
  const { one = [], all = [] } = isKeyOf(VALUES_OF, kind) ? VALUES_OF[kind] : {};
  return Object.fromEntries(
    [...one, ...all].flatMap((field) => {
      const value = values[field];
      const isEmpty = value === undefined || value === "" || value === false || Object(value).length === 0;
      return isEmpty ? [] : [[field, value]];
    }),
  );
}

/** What breaks a guard rail at a group today: one that is set, or one of these values. */
export function findingsQuery(parent: string, rail: { readonly uid: string } | Partial<GuardRailInput>) {
  const query =
    "uid" in rail
      ? { guard_rail: rail.uid }
      : (() => {
          const { maxDays, exactSubject, ...values } = valuesOfKind(rail);
          return {
            guard_rail_kind: rail.kind,
            ...values,
            ...(maxDays !== undefined && { max_days: maxDays }),
            ...(exactSubject !== undefined && { exact_subject: exactSubject }),
          };
        })();
  return infinite(
    listGuardRailFindings,
    { ...query, page_size: 50 },
    { path: { parent }, maxPages: Infinity },
  );
}
