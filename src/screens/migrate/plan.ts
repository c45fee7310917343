import { hashKey } from "@tanstack/react-query";

import { replacedBy, replacementText, type IdentityToMigrate } from "~/api/bulk/migration-plan";
import { parentOf } from "~/contract/aip";
import type { Capability } from "~/contract/capability";
import type { Endpoint, Schema } from "~/contract/endpoint";
import { identities, type Identity, type IdentityInput } from "~/contract/iam/identities";
import { roleBindings, roleUidOf, type RoleBinding } from "~/contract/iam/role-bindings";
import { violationsOf } from "~/contract/violations";
import { groupNameOf, roleNameOf } from "~/features/access/bindings";
import { fieldWords } from "~/features/audit/words";
import { issuerOf } from "~/screens/identities/change-issuer";

import { propose, type Mapping } from "./mapping";
import { lackingRoles } from "./pairs";
import type { Place } from "./read";

/** What the user changed in the proposal for one identity. */
export interface Edit {
  readonly name?: string | undefined;
  /** The subject, or its pattern. */
  readonly subject?: string | undefined;
  /** True if it stays as it is. */
  readonly left?: boolean | undefined;
}
export type Edits = Readonly<Record<string, Edit>>;

export interface PlannedIdentity {
  readonly old: Identity;
  /** The new identity; undefined if no rule can be proposed. */
  readonly body: IdentityInput | undefined;
  /** Why it can't be created. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  /** "editor at team". */
  readonly roles: readonly string[];
  /** uid of the new identity if an earlier run created it: the run only adds roles that it lacks. */
  readonly there: string | undefined;
  /** How many roles it lacks, if it is there. */
  readonly lacking: number;
  readonly left: boolean;
}

type Refusal = (endpoint: Pick<Endpoint, "access">, group: string | undefined) => string | undefined;

/** Sets the subject of a rule, or its pattern. */
function withSubject(body: IdentityInput, subject: string | undefined): IdentityInput {
  if (subject === undefined) return body;
  if (body.staticKeys) return { ...body, staticKeys: { ...body.staticKeys, subject } };
  const { claimMatch = {} } = body;
  const member = claimMatch.subjectPattern === undefined ? "subject" : "subjectPattern";
  return { ...body, claimMatch: { ...claimMatch, [member]: subject } };
}

/** The subject of a rule, or its pattern. */
export const subjectOf = ({ claimMatch, staticKeys }: Pick<IdentityInput, "claimMatch" | "staticKeys">) =>
  claimMatch?.subjectPattern ?? claimMatch?.subject ?? staticKeys?.subject ?? "";

const ruleKey = ({ claimMatch, staticKeys }: Pick<IdentityInput, "claimMatch" | "staticKeys">): string =>
  hashKey([claimMatch, staticKeys]);

/** Why the user can't grant the role of a binding, as far as is known. */
function grantProblem(binding: RoleBinding, place: Place, refusal: Refusal): string | undefined {
  const group = parentOf(binding.uid);
  const needs = place.capabilities.get(roleUidOf(binding)) ?? [];
  const [first, ...more] = needs as readonly Capability[];
  const why =
    refusal(roleBindings.create, group) ??
    // Nobody can grant more than they have.
    (first && refusal({ access: { at: "parent", needs: [first, ...more] } }, group));
  return why && `You can't grant ${roleNameOf(binding)} at ${groupNameOf(binding)}. ${why}.`;
}

/** What the move would create for each identity with the issuer, with every reason against it. */
export function plan(place: Place, mapping: Mapping, edits: Edits, refusal: Refusal): PlannedIdentity[] {
  const rules = new Map(place.identities.map((identity) => [ruleKey(identity), identity]));
  const planned = new Map<string, string>();
  return place.identities
    .filter((identity) => issuerOf(identity) === mapping.issuer)
    .map((old): PlannedIdentity => {
      const edit = edits[old.uid] ?? {};
      const bindings = place.bindings.get(old.uid) ?? [];
      const roles = bindings.map((binding) => `${roleNameOf(binding)} at ${groupNameOf(binding)}`);
      const left = edit.left ?? false;
      const proposal = propose(old, mapping);
      if ("problem" in proposal)
        return {
          old,
          body: undefined,
          problems: [proposal.problem],
          notes: [],
          roles,
          there: undefined,
          lacking: 0,
          left,
        };
      const body = withSubject(
        {
          name: edit.name ?? `${old.name}${mapping.suffix.trim()}`,
          description: replacementText(old.uid, old.description),
          ...proposal.rule,
        },
        edit.subject,
      );
      const key = ruleKey(body);
      const twin = rules.get(key);
      const there = twin && replacedBy(twin.description) === old.uid ? twin : undefined;
      const same = left ? undefined : planned.get(key);
      if (!left && same === undefined) planned.set(key, old.name);
      const problems = [
        ...violationsOf(identities.create.body as Schema, body).map(
          ({ field, description }) => `${fieldWords(field)}: ${description}`,
        ),
        ...(twin && !there ? [`${twin.name} already has this rule`] : []),
        ...(same === undefined ? [] : [`${same} would get the same rule`]),
        ...[
          refusal(identities.create, parentOf(old.uid)),
          ...bindings.map((binding) => grantProblem(binding, place, refusal)),
        ].filter((why) => why !== undefined),
      ];
      return {
        old,
        // As the one that is there: the run looks for it.
        body: there ? { ...body, name: there.name, description: there.description ?? "" } : body,
        problems,
        notes: proposal.notes,
        roles,
        there: there?.uid,
        lacking: there ? lackingRoles(old, there, place) : 0,
        left,
      };
    });
}

/** The items of the job: what was neither left out, nor has a problem, nor is complete. */
export const targetsOf = (rows: readonly PlannedIdentity[]): IdentityToMigrate[] =>
  rows.flatMap(({ old, body, problems, there, lacking, left }) =>
    body === undefined || problems.length > 0 || left || (there !== undefined && lacking === 0)
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
