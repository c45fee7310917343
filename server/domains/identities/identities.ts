import { isDeepStrictEqual } from "node:util";

import type { Capability } from "platform-contract/capability";
import { identities, type IdentityInput } from "platform-contract/iam/identities";
import { updateIdentityMetadata } from "platform-contract/iam/identity-metadata";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";

import { isRootLevel, visibleGroups, type Caller } from "../../platform/access/caller";
import { requireRightsOf } from "../../platform/access/escalation";
import { withoutSlash } from "../../platform/access/issuers";
import { storeRecognition, type Recognised } from "../../platform/access/recognition";
import { invalidArgument, permissionDenied } from "../../status";
import { boundAt, identitiesTable, isSeen, recognitionOf, seenPeople, startUnused } from "./identities.table";
import { checkName, checkRecognition } from "../access/guard-rail-checks.table";
import { ensurePerson } from "../access/people.table";
import { personUid } from "../../platform/store/uids";
import { identityMetadataHandler } from "./identity-metadata";
import { countViolations, identityViolations } from "./identity-rules";
import { queryOf, type Handler } from "../../platform/standard/call";
import type { Change, Context, Rules } from "../../platform/standard/rules";
import { standardHandlers } from "../../platform/standard/standard";
import type { Fields } from "../../platform/standard/values";

const READ: Capability = "CAP_IAM_IDENTITY_LIST";

async function beforeGet({ database }: Context, caller: Caller, uid: string): Promise<void> {
  // For all others the path has decided.
  if (!isRootLevel(uid)) return;
  const seen = seenPeople(caller, visibleGroups(caller, READ, { "uidp.ids": [uid] }));
  if (!(await isSeen(database, uid, seen))) throw permissionDenied([READ], uid);
}

/** True if the change affects which tokens match. */
function recognisesAnew({ next, previous }: Change<IdentityInput>): boolean {
  const { relationship, definition } = recognitionOf(next, previous);
  return !isDeepStrictEqual(previous?.[relationship], definition);
}

/** True if other tokens would be compared with it than before. */
const namesOthers = (fields: Fields, previous: Fields | undefined): boolean =>
  ["claimMatch", "staticKeys"].some((name) => !isDeepStrictEqual(fields[name], previous?.[name]));

const rules: Rules<IdentityInput> = {
  resource: identities,
  table: identitiesTable,
  rootLevel: seenPeople,
  rootLevelAt: (groups, rowsOf) => boundAt(groups, rowsOf("role_bindings")),
  beforeGet,
  violations: async ({ config }, { queries, uid, fields, previous }) => [
    ...(await identityViolations(config, fields, previous)),
    ...(namesOthers(fields, previous) ? await countViolations(queries, uid, fields) : []),
  ],
  async beforeWrite(_context, change) {
    const { queries, caller, uid, parent, next, previous, arrival } = change;
    const isAnew = recognisesAnew(change);
    if (previous && isAnew) await requireRightsOf(queries, caller, uid);
    if (previous?.["name"] !== next.name)
      await checkName(queries, { collection: "identities", uid, group: parent, name: next.name });
    if (isAnew) await checkRecognition(queries, { uid, group: parent, next, arrival });
  },
  async afterWrite({ config }, change) {
    const { queries, uid, next, previous } = change;
    if (!previous) await startUnused(queries, uid);
    if (!recognisesAnew(change)) return;
    const issuers = config.trustedIssuers.filter((issuer) => withoutSlash(issuer) !== config.issuer);
    await storeRecognition(queries, uid, issuers, next, (previous ?? {}) as Recognised);
  },
  // Its bindings are deleted with it.
  beforeDelete: (_context, { queries, uid, previous }) =>
    storeRecognition(queries, uid, [], {}, previous as Recognised),
};

/**
 * Returns the uid of a person by issuer and subject. If the caller holds anything and the person can sign in here,
 * creates the person, so that they can be bound before their first sign-in; otherwise it is the uid they would have.
 */
const lookup =
  ({ config, database }: Context): Handler =>
  async (call) => {
    const { caller } = call;
    const { issuer, subject } = queryOf(lookupIdentity, call);
    const empty = Object.entries({ issuer, subject }).filter(([, text]) => text === "");
    if (empty.length > 0) throw invalidArgument(empty.map(([field]) => ({ field, description: "required" })));
    const known = [config.issuer, ...config.trustedIssuers].map(withoutSlash);
    // Callers without grants cannot bind anyone, and would only fill the database.
    if (caller.grants.length === 0 || !known.includes(withoutSlash(issuer)))
      return { uid: personUid(issuer, subject) };
    return { uid: await ensurePerson(database, issuer, subject) };
  };

export const identityHandlers = (context: Context): Map<string, Handler> =>
  standardHandlers(context, rules)
    .set(lookupIdentity.id, lookup(context))
    .set(updateIdentityMetadata.id, identityMetadataHandler(context));
