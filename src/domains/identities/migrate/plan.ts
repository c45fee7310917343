import { hashKey } from "@tanstack/react-query";

import { replacedBy, replacementText, type IdentityToMigrate } from "~/api/bulk/migration-plan";
import { parentOf } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import { identities, type Identity, type IdentityInput } from "platform-contract/iam/identities";
import { roleBindings, roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { violationsOf } from "platform-contract/violations";
import { groupNameOf, roleNameOf } from "~/domains/access/grants/bindings";
import { lacking } from "~/domains/access/grants/roles";
import { fieldWords } from "~/frame/record/field-words";
import { issuerOf } from "~/domains/identities/identities/change-issuer";
import { formatQuantity } from "~/ui/display/numbers";
import { visible } from "~/ui/display/visible";

import { broader } from "./broader";
import { edited, subjectOf, type Edit, type Edits } from "./edit";
import { propose } from "./mapping";
import { lackingRoles } from "./pairs";
import type { RuleMapping, Rule } from "./proposal";
import type { MigrationPlace } from "./read";

export interface PlannedIdentity {
  readonly old: Identity;
  /** The new identity; undefined if no rule can be proposed. */
  readonly body: IdentityInput | undefined;
  readonly edit: Edit;
  /** What the user has to decide before it can be created. */
  readonly decision: string | undefined;
  /** Why it can't be created. */
  readonly problems: readonly string[];
  /** Why it may match more than the old one. */
  readonly broader: string | undefined;
  readonly notes: readonly string[];
  /** "editor at team". */
  readonly roles: readonly string[];
  /** uid of the new identity if an earlier run created it: the run only adds roles that it lacks. */
  readonly there: string | undefined;
  /** How many roles it lacks, if it is there. */
  readonly lacking: number;
  readonly left: boolean;
}

/** What the user can do, as far as that is known. */
export interface Powers {
  readonly refusal: (endpoint: Pick<Endpoint, "access">, group: string | undefined) => string | undefined;
  /** The capabilities that the user has at a group; undefined if not fully known. */
  readonly held: (group: string) => ReadonlySet<string> | undefined;
}

const ruleKey = ({ claimMatch, staticKeys }: Rule): string => hashKey([claimMatch, staticKeys]);

/** "editor at team". */
const grantText = (binding: RoleBinding): string =>
  visible(`${roleNameOf(binding)} at ${groupNameOf(binding)}`);

/** Why the user can't grant the role of a binding. */
function grantProblem(
  binding: RoleBinding,
  place: MigrationPlace,
  { refusal, held }: Powers,
): string | undefined {
  const group = parentOf(binding.uid);
  const what = `You can't grant ${grantText(binding)}`;
  const why = refusal(roleBindings.create, group);
  if (why !== undefined) return `${what}. ${why}.`;
  const role = place.roles.get(roleUidOf(binding));
  const count = role ? lacking(role, held(group)).length : 0;
  return count === 0
    ? undefined
    : `${what}: it has ${formatQuantity(count, "capability", "capabilities")} that you don't have.`;
}

/** Why the roles of an identity may be more than what the lists told. */
function hiddenRoles({ uid }: Identity, { refusal }: Powers): string | undefined {
  const { get } = roleBindings;
  const why = get && refusal(get, parentOf(uid));
  return why && `You can't see all its roles. ${why}.`;
}

/** What the contract lets pass and the form doesn't. */
const missingIn = (body: IdentityInput): string[] => [
  ...(subjectOf(body).trim() === "" ? ["Enter the subject."] : []),
  ...(Object.values(body.claimMatch?.claims ?? {}).includes("") ? ["Enter a value for each claim."] : []),
];

/** The replacements of each identity that are in its group, by its uid. */
function replacementsIn(all: readonly Identity[]): ReadonlyMap<string, readonly Identity[]> {
  const found = new Map<string, Identity[]>();
  for (const identity of all) {
    const old = replacedBy(identity.description);
    if (old === undefined || parentOf(old) !== parentOf(identity.uid)) continue;
    found.set(old, [...(found.get(old) ?? []), identity]);
  }
  return found;
}

/** What the move would create for each identity with the issuer, with every reason against it. */
export function plan(
  place: MigrationPlace,
  mapping: RuleMapping,
  edits: Edits,
  powers: Powers,
): PlannedIdentity[] {
  const rules = new Map(place.identities.map((identity) => [ruleKey(identity), identity]));
  const replacements = replacementsIn(place.identities);
  const planned = new Map<string, string>();
  const planOne = (old: Identity): PlannedIdentity => {
    const edit = edits[old.uid] ?? {};
    const bindings = place.bindings.get(old.uid) ?? [];
    const roles = bindings.map(grantText);
    const left = edit.left ?? false;
    const proposal = propose(old, mapping);
    const none = { decision: undefined, broader: undefined, notes: [], there: undefined, lacking: 0 };
    if ("problem" in proposal)
      return { ...none, old, edit, body: undefined, problems: [`${proposal.problem}.`], roles, left };
    const body = edited(
      {
        name: `${old.name}${mapping.suffix.trim()}`,
        description: replacementText(old.uid, old.description),
        ...proposal.rule,
      },
      edit,
    );
    const key = ruleKey(body);
    const own = replacements.get(old.uid) ?? [];
    const there = own.find((identity) => ruleKey(identity) === key);
    const twin = there ? undefined : rules.get(key);
    const same = left ? undefined : planned.get(key);
    if (!left && same === undefined) planned.set(key, old.name);
    const toGrant = there ? lackingRoles(old, there, place) : bindings;
    const problems = [
      ...violationsOf(identities.create.body!, body).map(
        ({ field, description }) => `${fieldWords(field)}: ${description}.`,
      ),
      ...missingIn(body),
      ...(twin ? [`${visible(twin.name)} already has this rule.`] : []),
      ...(same === undefined ? [] : [`${visible(same)} would get the same rule.`]),
      ...own
        .filter((identity) => identity !== there)
        .map(
          ({ name }) =>
            `${visible(name)} already replaces it, with another rule. Delete that one, or leave this out.`,
        ),
      ...[
        there ? undefined : powers.refusal(identities.create, parentOf(old.uid))?.concat("."),
        hiddenRoles(old, powers),
        ...toGrant.map((binding) => grantProblem(binding, place, powers)),
      ].filter((why) => why !== undefined),
    ];
    return {
      old,
      edit,
      // The run looks for the one that is there by its name.
      body: there ? { ...body, name: there.name } : body,
      decision: edit.decided || there ? undefined : proposal.decision,
      problems,
      broader: broader(old, body),
      notes: proposal.notes,
      roles,
      there: there?.uid,
      lacking: there ? toGrant.length : 0,
      left,
    };
  };
  return place.identities.filter((identity) => issuerOf(identity) === mapping.issuer).map(planOne);
}

/** Why there is nothing to create, if there are no items. */
export function whyNothing(rows: readonly PlannedIdentity[], refusal: Powers["refusal"]): string {
  const open = rows.filter(
    ({ body, decision, problems, left }) =>
      body !== undefined && !left && (decision !== undefined || problems.length > 0),
  );
  if (open.length === 0) return "Nothing is left to create";
  const refused = open.map(({ old, there }) =>
    there === undefined ? refusal(identities.create, parentOf(old.uid)) : undefined,
  );
  return (refused.every(Boolean) ? refused[0] : undefined) ?? "None of these can be created as it is";
}

/** The items of the job: what was neither left out, nor has a problem or an open decision, nor is complete. */
export const targetsOf = (rows: readonly PlannedIdentity[]): IdentityToMigrate[] =>
  rows.flatMap(({ old, body, decision, problems, there, lacking, left }) =>
    body === undefined ||
    decision !== undefined ||
    problems.length > 0 ||
    left ||
    (there !== undefined && lacking === 0)
      ? []
      : [
          {
            uid: old.uid,
            name: old.name,
            parent: parentOf(old.uid),
            body,
            updateTime: old.updateTime,
            key: crypto.randomUUID(),
          },
        ],
  );
