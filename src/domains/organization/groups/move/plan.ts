import { COPYABLE, type CopyableKind, type LeftOut } from "~/api/bulk/copy-plan";
import { reaches } from "~/domains/access/grants/reach";
import { depthOf, isWithin, parentOf, rootOf } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import type { Group } from "platform-contract/iam/groups";
import type { Role } from "platform-contract/iam/roles";
import type { Kind } from "platform-contract/kind";
import { kindOf, kinds, wordsInside } from "platform-contract/kinds";
import { INHERITED, SYNC_OUTPUT, updateReadme } from "platform-contract/registry/repos";
import { capitalize } from "~/ui/display/capitalize";
import { formatQuantity } from "~/ui/display/numbers";
import { isKeyOf } from "~/ui/keys";

import type { Step } from "../step-table";
import { nameOf, type TeardownRow } from "../teardown/plan";
import type { Contents } from "../teardown/read";

/** A record as the API returned it, with the fields that the plan looks at. */
export interface CopiedRow extends TeardownRow {
  readonly expirationTime?: string | undefined;
  readonly capabilities?: readonly string[] | undefined;
  readonly staticKeys?: { readonly expirationTime?: string | undefined } | undefined;
  readonly sync_config?: Readonly<Record<string, unknown>> | undefined;
}

export interface CopyStep extends Step {
  readonly collection: CopyableKind;
  /** uid of the old parent; of the new one for the folder itself. */
  readonly parent: string;
  /** What it is created from, with the old uids. */
  readonly body: object;
  readonly readme: boolean;
}

export interface CopyPlan {
  /** Every record to create, in an order in which each can be created. */
  readonly steps: readonly CopyStep[];
  readonly left: readonly LeftOut[];
  /** What is different afterwards, in sentences. */
  readonly differs: readonly string[];
}

interface Facts {
  readonly folder: Group;
  /** uid and name of its new parent. */
  readonly to: string;
  readonly place: string;
  readonly contents: Contents;
  /** Roles of other places that bindings in the folder grant, as far as they could be read. */
  readonly roles: readonly Role[];
  /** Why the caller can't list a kind. */
  readonly unread: (kind: Kind) => string | undefined;
  /** Why the caller can't use an endpoint in the new place. */
  readonly refusal: (endpoint: Pick<Endpoint, "access">) => string | undefined;
  /** The capabilities that the caller has there; undefined if not fully known. */
  readonly held: ReadonlySet<string> | undefined;
  /** True if a name of a repo can be used once in an organization: with a registry. */
  readonly oneName: boolean;
  /** In ms. */
  readonly now: number;
}

/** What to do about records that are not created again, by kind. */
const TO_DO: Readonly<Record<string, string>> = {
  groupInvites: "An invite's link can't be copied. Invite again.",
  identityProviders: "The API doesn't return the client secret. Create in the new place with it.",
  externalGroupRoleMappings: "Part of an identity provider. Create with that.",
  tags: "A tag names an image in the registry, which the API can't copy. Push the images again.",
  accountAssociations: "Create in the new place, and change what names old IDs in the cloud account.",
  terms: "Create last: until they are accepted again, nothing can be pushed there.",
  advisories: "The API can't create advisories.",
};
const NO_WAY = "Unknown to this part of the console. Create in the new place, if the API can.";

const isCopyable = (collection: string): collection is CopyableKind => isKeyOf(COPYABLE, collection);
const identityOf = ({ identityUid, identity }: CopiedRow): string => identityUid ?? identity?.uid ?? "";
const roleOf = ({ roleUid, role }: CopiedRow): string => roleUid ?? role?.uid ?? "";
const sourceOf = ({ sync_config }: CopiedRow): string => String(sync_config?.["source"] ?? "");
const isOver = (time: string | undefined, now: number): boolean =>
  Boolean(time) && Date.parse(time ?? "") <= now;

/** The fields of a record that a caller sets, as it has them now. */
function bodyOf(collection: CopyableKind, row: CopiedRow): object {
  // A folder repeats the kind and the mark of its organization.
  const omitted: readonly string[] =
    collection === "groups" ? ["kind", "verified"] : sourceOf(row) === "" ? [] : INHERITED;
  const all: Readonly<Record<string, unknown>> = {
    ...row,
    ...(collection === "roleBindings" && { identityUid: identityOf(row), roleUid: roleOf(row) }),
    ...(row.sync_config && {
      sync_config: Object.fromEntries(
        Object.entries(row.sync_config).filter(([key]) => !SYNC_OUTPUT.some((output) => output === key)),
      ),
    }),
  };
  const keys = Object.keys(COPYABLE[collection].settable);
  return Object.fromEntries(
    keys.flatMap((key) => (omitted.includes(key) || all[key] === undefined ? [] : [[key, all[key]]])),
  );
}

/**
 * Plans to create a folder and what is in it again under another parent: kinds in registry order, in which a kind comes
 * after those that its records refer to and are in; folders topmost first, sources of repos before what syncs from them.
 */
export function planCopy(facts: Facts): CopyPlan {
  const { folder, to, place, contents, roles, unread, refusal, held, oneName, now } = facts;
  const { rows } = contents;
  const isMoved = (uid: string): boolean => isWithin(uid, folder.uid);
  const sameOrganization = rootOf(to) === rootOf(folder.uid);
  const capabilities = new Map<string, readonly string[] | undefined>(
    [...roles, ...((rows["roles"] ?? []) as readonly CopiedRow[])].map((role) => [
      role.uid,
      role.capabilities,
    ]),
  );
  const isMore = (role: string): boolean =>
    held !== undefined && (capabilities.get(role) ?? []).some((each) => !held.has(each));
  const made = new Set<string>();
  const isThere = (uid: string): boolean => !isMoved(uid) || made.has(uid);

  const refusedThere = (endpoint: Pick<Endpoint, "access">): string | undefined =>
    refusal(endpoint)?.replace(/(?: here)?$/, ` in ${place}.`);
  const noReadmes = refusedThere(updateReadme);

  /** Why a record is not created again. */
  const whyNot = (collection: string, row: CopiedRow): string | undefined => {
    if (!isCopyable(collection)) return TO_DO[collection] ?? NO_WAY;
    const refused = refusedThere(COPYABLE[collection].create);
    if (refused) return refused;
    if (row.uid !== folder.uid && !made.has(parentOf(row.uid))) return "In a folder that isn't copied.";
    if (collection === "roles" && isMore(row.uid)) return `With permissions that you don't have in ${place}.`;
    if (collection === "identities" && isOver(row.staticKeys?.expirationTime, now))
      return "With keys that have expired. Create with new keys.";
    if (collection === "repos" && oneName && sameOrganization)
      return "In the registry, an organization has one repo of a name, and the old one is it. Delete the old one, then move again and push the images.";
    if (collection !== "roleBindings") return undefined;
    const [identity, role] = [identityOf(row), roleOf(row)];
    if (isOver(row.expirationTime, now)) return "Already ended.";
    if (identity === "" || role === "") return "The API doesn't say who has which role. Grant again.";
    if (!isThere(identity) || !isThere(role)) return "Of an identity or role that isn't copied.";
    if (!isMoved(identity) && !reaches(identity, to))
      return `Of identities in a folder that doesn't contain ${place}, where they can't do anything. Create identities there.`;
    if (!isMoved(role) && parentOf(role) !== "" && !isWithin(to, parentOf(role)))
      return `Of roles in a folder that doesn't contain ${place}. Create the roles there, then grant them.`;
    return isMore(role) ? `Of roles with permissions that you don't have in ${place}.` : undefined;
  };

  const steps: CopyStep[] = [];
  const left = new Map<string, { kind: Kind; why: string; count: bigint }>();
  const leave = (kind: Kind, why: string, count: number | bigint = 1): void => {
    const key = `${kind.plural} ${why}`;
    left.set(key, { kind, why, count: (left.get(key)?.count ?? 0n) + BigInt(count) });
  };
  const names = new Map([folder, ...(rows["groups"] ?? [])].map((row) => [row.uid, nameOf(row)]));
  for (const kind of kinds) {
    const { collection } = kind;
    const found: readonly CopiedRow[] = rows[collection] ?? [];
    const ordered =
      collection === "groups"
        ? [folder, ...found.toSorted((a, b) => depthOf(a.uid) - depthOf(b.uid))]
        : found.toSorted((a, b) => Number(isMoved(sourceOf(a))) - Number(isMoved(sourceOf(b))));
    for (const row of ordered) {
      const why = whyNot(collection, row);
      if (why !== undefined || !isCopyable(collection)) {
        leave(kind, why ?? NO_WAY);
        continue;
      }
      made.add(row.uid);
      const isFolder = row.uid === folder.uid;
      steps.push({
        uid: row.uid,
        name: nameOf(row),
        kind,
        collection,
        where: isFolder ? place : (names.get(parentOf(row.uid)) ?? ""),
        parent: isFolder ? to : parentOf(row.uid),
        body: bodyOf(collection, row),
        readme: collection === "repos" && sourceOf(row) === "" && !noReadmes,
      });
    }
  }
  for (const [kind, count] of contents.companions) leave(kind, TO_DO[kind.collection] ?? NO_WAY, count);
  const count = (collection: string, matches = (_row: CopiedRow): boolean => true): number =>
    steps.filter((step) => step.collection === collection && matches(step.body as CopiedRow)).length;
  const synced = count("repos", (body) => sourceOf(body) !== "");
  return {
    steps,
    left: [
      ...[...left.values()].map(({ kind, why, count: many }) => ({
        what: formatQuantity(many, ...wordsInside(kind)),
        why,
      })),
      ...(noReadmes
        ? some(count("repos"), "repos", (many) => `Readmes of ${many}`).map((what) => ({
            what,
            why: noReadmes,
          }))
        : []),
      ...kinds.flatMap((kind) => {
        const why = unread(kind);
        const what = `${capitalize(wordsInside(kind)[1])}: unknown`;
        return why ? [{ what, why: `${why}. If there are any, they aren't copied.` }] : [];
      }),
    ],
    differs: [
      "Every record has a new ID. Links, scripts and tokens that name the old ones don't follow.",
      ...some(
        count("identities"),
        "identities",
        (many) => `Pipelines that name an identity by its ID need the new one (${many}).`,
      ),
      ...some(count("repos"), "repos", (many) =>
        sameOrganization
          ? `A pull address doesn't contain the folder, so it stays the same: until the old repo is deleted, two repos have the same address (${many}).`
          : `Pull addresses change, since they begin with the organization (${many}).`,
      ),
      ...some(synced, "repos", (many) => `Syncing starts anew (${many}).`),
      `Access from above can differ: roles granted on ${place} and above it apply, no longer those granted only above the old place.`,
      "History stays with the old IDs: the audit log, moved tags, pulls, reviews. Open access requests aren't copied.",
    ],
  };
}

/** A sentence about records of a kind, if there are any. */
function some(count: number, collection: string, say: (many: string) => string): string[] {
  const kind = kindOf(collection);
  return count > 0 && kind ? [say(formatQuantity(count, ...wordsInside(kind)))] : [];
}
