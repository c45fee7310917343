import { randomUUID } from "node:crypto";

import { relyingPartyAt } from "../../platform/oidc/factors/relying-party";
import { appendEntries, unlogged } from "../../platform/store/audit";
import type { Database, Queries } from "../../platform/store/database";
import { lockSchema } from "../../platform/store/migrate";
import { settled, wasRecorded } from "../../platform/store/settled";
import {
  collectMoves,
  countPasskeys,
  endSessions,
  findByNewUids,
  moveMachines,
  movePeople,
  namesAtNewUids,
  organizations,
} from "./readdress.table";

/** What a move changes. */
export interface Moved {
  /** People of the own provider, each with a new uid. */
  readonly people: number;
  /** Identities in groups that match tokens of the own provider, such as that of the client `automation`. */
  readonly machines: number;
  /** Places that name people: roles, invites, and so on, by table. */
  readonly references: ReadonlyMap<string, number>;
  /** Organizations whose logs say it. */
  readonly organizations: number;
  /** Passkeys that stop working, since they belong to the host, and how many people have one of them. */
  readonly passkeys: { readonly count: number; readonly owners: number };
}

export class CannotMove extends Error {}

/** Undoes a dry run. */
class DryRun extends Error {
  constructor(readonly moved: Moved) {
    super();
  }
}

async function planMoves(queries: Queries, from: string, to: string): Promise<number> {
  const planned = await collectMoves(queries, from, to);
  if (planned === 0) throw new CannotMove(`nobody has signed in at ${from} yet`);
  const there = await namesAtNewUids(queries);
  if (there.length > 0)
    throw new CannotMove(
      `${there.length} people have signed in at ${to} already, such as ${there[0]}: move before the first start with the new address`,
    );
  return planned;
}

const ACTION = "installation.move";
type Command = { readonly id: string; readonly transport: "command" };

/** One entry in the log of the service and of each organization. */
async function record(queries: Queries, from: string, to: string, request: Command): Promise<number> {
  const groups = await organizations(queries);
  const change = { field: "issuer", before: JSON.stringify(from), after: JSON.stringify(to) };
  await appendEntries(queries, [
    { group: undefined, draft: { outcome: "OUTCOME_DONE", action: ACTION, changes: [change], request } },
    ...groups.map(({ uid, name }) => ({
      group: uid,
      draft: {
        outcome: "OUTCOME_DONE",
        action: ACTION,
        record: { kind: "groups", uid, name, group: uid },
        changes: [change],
        request,
      } as const,
    })),
  ]);
  return groups.length;
}

/**
 * Changes the issuer of the own provider, and with it the uids of the people who sign in there, in one transaction. The
 * service must not run. Everybody signs in again.
 * @param from the issuer until now: PUBLIC_URL and "/oidc"
 * @param dryRun changes nothing, and returns what it would change
 */
export async function readdress(
  database: Database,
  from: string,
  to: string,
  { dryRun = false } = {},
): Promise<Moved> {
  const request = { id: randomUUID(), transport: "command" } as const;
  let moved: Moved | undefined;
  const move = () =>
    database.transaction(async (queries) => {
      await lockSchema(queries);
      await unlogged(queries);
      const people = await planMoves(queries, from, to);
      const references = await movePeople(queries, from, to);
      await findByNewUids(queries);
      const machines = await moveMachines(queries, from, to);
      await endSessions(queries);
      const logs = await record(queries, from, to, request);
      const passkeys = await countPasskeys(queries, relyingPartyAt(from)?.host, relyingPartyAt(to)?.host);
      moved = { people, machines, references, organizations: logs, passkeys };
      if (dryRun) throw new DryRun(moved);
      return moved;
    });
  const look = async () =>
    (await wasRecorded(database, { action: ACTION, requestId: request.id })) ? moved : undefined;
  try {
    return await (dryRun ? move() : settled(move, look));
  } catch (error) {
    if (error instanceof DryRun) return error.moved;
    throw error;
  }
}
