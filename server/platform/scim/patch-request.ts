import { inTurns } from "../access/turns";
import type { Queries } from "../store/database";
import { notFound, ScimError } from "./error";
import type { InTurn, ScimAnswer, ScimRequest } from "./messages";
import { patching } from "./patch";
import { membersNamed, stepsOf, type PatchStep } from "./patch-steps";
import { readGroup, readUser, requireMatch } from "./reading";
import { groupFields } from "./resources";
import { GROUPS, USERS, type ResourceType } from "./schemas";
import type { ScimFields } from "./values";
import { requireUsers } from "./write";

/** Times that a PATCH is applied, if the resource changes meanwhile. */
const ATTEMPTS = 10;

export class ChangedMeanwhile extends ScimError {
  constructor() {
    super(409, "the resource was changed at the same time, send the request again");
  }
}

/** A resource after the steps of a PATCH request, as of the version that they were applied to. */
export interface Patched {
  readonly version: number;
  readonly next: ScimFields;
}

/** Reads what a PATCH request changes, and whether all of it is there, before any work is done. */
async function requirePatchable(
  database: Queries,
  request: ScimRequest,
  type: ResourceType,
  id: string,
  steps: readonly PatchStep[],
) {
  const { provider } = request;
  const user = type === USERS ? await readUser(database, provider, id) : undefined;
  const group = type === GROUPS ? await readGroup(database, provider, id) : undefined;
  const row = user ?? group;
  if (!row) throw notFound();
  requireMatch(request, row);
  await requireUsers(database, provider, membersNamed(steps));
  return { version: row.version, fields: user ? user.resource : groupFields(group!) };
}

/**
 * Applies the steps in small slices while no turn and no transaction waits for them, and again if the resource was
 * changed meanwhile.
 */
export async function patch(
  request: ScimRequest,
  type: ResourceType,
  id: string,
  { database, inTurn }: { readonly database: Queries; readonly inTurn: InTurn },
  put: (patched: Patched) => Promise<ScimAnswer>,
): Promise<ScimAnswer> {
  const steps = await inTurns(stepsOf(type, request.body));
  for (let attempt = 1; ; attempt += 1) {
    // oxlint-disable-next-line no-await-in-loop -- an attempt follows from the failure of the one before
    const { version, fields } = await inTurn(() => requirePatchable(database, request, type, id, steps));
    // oxlint-disable-next-line no-await-in-loop
    const next = await inTurns(patching(type, fields, steps));
    try {
      // oxlint-disable-next-line no-await-in-loop
      return await inTurn(() => put({ version, next }));
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || attempt === ATTEMPTS) throw error;
    }
  }
}
