import { depthOf } from "platform-contract/aip";
import { groups } from "platform-contract/iam/groups";
import type { InputOf } from "platform-contract/resource";
import type { FieldViolation } from "platform-contract/status";

import { isRootLevel, requireAll, type Caller } from "../../platform/access/caller";
import { failedPrecondition, permissionDenied } from "../../status";
import type { Queries } from "../../platform/store/database";
import { groupsInRegistryTable, groupsTable, recordCreator } from "./groups.table";
import { checkName } from "../access/guard-rail-checks.table";
import { builtInRoleUid } from "../access/roles.table";
import { recordAccepted } from "../access/memberships.table";
import { lockShared, insertRow } from "../../platform/store/table";
import { newChildUid, newRootUid } from "../../platform/store/uids";
import type { Call, Handler } from "../../platform/standard/call";
import { blockingKinds, deleteChildren } from "../../platform/standard/children.table";
import { write } from "../../platform/standard/conflicts";
import { notFoundError } from "../../platform/standard/resource-info";
import type { Context, Draft, Removal, Rules } from "../../platform/standard/rules";
import { createRecord, toWire, standardHandlers } from "../../platform/standard/standard";
import type { Fields } from "../../platform/standard/values";

const MAXIMUM_DEPTH = 32;

const UNSET: Fields = { verified: false, kind: "ORG_KIND_UNSPECIFIED" };

/** Only the operator can set these fields; sending back the stored value is not a change. */
function violations(_context: Context, { fields, previous, uid }: Draft): FieldViolation[] {
  const found = ["verified", "kind"]
    .filter((field) => ![undefined, previous?.[field] ?? UNSET[field]].includes(fields[field]))
    .map((field) => ({ field, description: "set by the operator" }));
  if (depthOf(uid) > MAXIMUM_DEPTH)
    found.push({ field: "parent", description: `groups can be nested at most ${MAXIMUM_DEPTH} levels deep` });
  return found;
}

const rules: Rules<InputOf<typeof groups>> = {
  resource: groups,
  table: groupsTable,
  violations,
  beforeWrite: async (_context, { queries, uid, parent, previous, next: { name } }) => {
    if (previous?.["name"] !== name)
      await checkName(queries, { collection: "groups", uid, group: parent, name });
  },
  beforeDelete,
};

const rulesOf = ({ registry }: Context): typeof rules =>
  registry ? { ...rules, table: groupsInRegistryTable } : rules;

/**
 * A group with children cannot be deleted. Its row is locked, so none are added meanwhile. For an
 * organization, the caller's own bindings do not count and are deleted with it; otherwise it could never be deleted.
 */
async function beforeDelete(_context: Context, { queries, caller, uid }: Removal): Promise<void> {
  const own = isRootLevel(uid) ? caller.identities : [];
  const blocking = await blockingKinds(queries, uid, own);
  if (blocking.length > 0)
    throw failedPrecondition(
      blocking.map(({ plural }) => ({
        type: "RESOURCE_NOT_EMPTY",
        description: `cannot delete group with child ${plural}`,
        subject: uid,
      })),
      { children: blocking.map(({ collection }) => collection).join(",") },
    );
  await deleteChildren(queries, uid);
}

/** A folder requires the capability at its parent; any user of this provider can create an organization. */
function authorizeCreate({ config }: Context, { caller, path: { parent } }: Call): void {
  if (parent !== "") return requireAll(caller, groups.create.access.needs, parent);
  if (config.organizationCreation !== "everyone" || caller.issuer !== config.issuer || caller.pending)
    throw permissionDenied(groups.create.access.needs, "");
}

/**
 * Throws FAILED_PRECONDITION if the person has created more organizations than allowed; deleted ones do not count. The
 * client `automation` belongs to the operator and has no limit.
 */
async function requireRoom(
  { config: { organizationLimit: most } }: Context,
  queries: Queries,
  { subject }: Caller,
  [uid, owner]: readonly [uid: string, owner: string],
): Promise<void> {
  const made = await recordCreator(queries, uid, owner);
  if (most === 0 || made <= most || subject === "automation") return;
  throw failedPrecondition([
    {
      type: "ORGANIZATION_LIMIT",
      description: `one person can create at most ${most} organizations`,
      subject: owner,
    },
  ]);
}

const create =
  (context: Context): Handler =>
  (call) => {
    authorizeCreate(context, call);
    const { caller, path, body } = call;
    const { parent } = path;
    return write(context.database, call, async (queries) => {
      if (parent !== "" && !(await lockShared(queries, "groups", parent)))
        throw notFoundError(context, groups, parent);
      const uid = parent === "" ? newRootUid() : newChildUid(parent);
      const draft = { queries, caller, uid, parent, fields: toWire(groups, body), previous: undefined };
      const made = await createRecord(context, rulesOf(context), draft);
      const [owner] = caller.identities;
      if (parent === "" && owner !== undefined) {
        await requireRoom(context, queries, caller, [uid, owner]);
        await insertRow(queries, "role_bindings", {
          uid: newChildUid(uid),
          parent: uid,
          identity_uid: owner,
          role_uid: builtInRoleUid("owner"),
        });
        await recordAccepted(queries, uid, owner);
      }
      return made;
    });
  };

/** What an organization was called in the registry, the log does not tell. */
export const groupHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, { ...rulesOf(context), tableAt: groupsTable }).set(
    "groups.create",
    create(context),
  );
