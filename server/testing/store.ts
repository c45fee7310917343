import { endpoints } from "platform-contract";
import {
  fieldViolations,
  preconditionViolations,
  RESOURCE_INFO,
  type FieldViolation,
  type PreconditionViolation,
} from "platform-contract/status";

import { authorize, type Caller } from "../platform/access/caller";
import { grantsOf } from "../platform/access/grants";
import { readConfig, type Config } from "../config";
import { createHandlers } from "../platform/http/handlers";
import type { Handler } from "../platform/standard/call";
import { Failure } from "../status";
import type { Arrival, Database } from "../platform/store/database";
import { migrate } from "../platform/store/migrate";
import { ensurePerson } from "../domains/access/people.table";
import { builtInRoleUid, ensureBuiltInRoles } from "../domains/access/roles.table";
import { recordAccepted } from "../domains/access/memberships.table";
import { personUid } from "../platform/store/uids";
import { openMigrated } from "./database";

export type Wire = Record<string, any>;
export interface Input {
  readonly uid?: string;
  readonly parent?: string;
  readonly digest?: string;
  readonly query?: Record<string, unknown>;
  readonly body?: Record<string, unknown>;
  readonly arrival?: Arrival;
}

/** The handlers on a database, called like the HTTP layer does: after authorization. */
export class TestStore {
  readonly handlers: ReadonlyMap<string, Handler>;

  constructor(
    readonly database: Database,
    readonly config: Config,
  ) {
    this.handlers = createHandlers({ config, database });
  }

  static async open(variables: Record<string, string> = {}, database?: Database): Promise<TestStore> {
    const used = database ?? (await openMigrated());
    await migrate(used);
    await ensureBuiltInRoles(used);
    return new TestStore(
      used,
      readConfig({ PUBLIC_URL: "https://platform.test", SECRET_KEY: "x".repeat(32), ...variables }),
    );
  }

  /** A person from our own issuer, with their current grants. */
  async person(subject: string): Promise<Caller> {
    const { issuer } = this.config;
    const uid = await ensurePerson(this.database, issuer, subject);
    return this.caller(subject, [uid]);
  }

  async caller(subject: string, identities: readonly string[]): Promise<Caller> {
    const { issuer } = this.config;
    const grants = await grantsOf(this.database, identities);
    return { issuer, subject, key: personUid(issuer, subject), identities, grants };
  }

  async call(
    caller: Caller,
    id: string,
    { uid = "", parent = "", digest = "", query = {}, body = {}, ...more }: Input = {},
  ): Promise<Wire> {
    const endpoint = endpoints.find((known) => known.id === id);
    const handler = this.handlers.get(id);
    if (!endpoint || !handler) throw new Error(`no ${id}`);
    authorize(endpoint, { uid, parent }, caller);
    return (await handler({
      caller,
      path: { uid, parent, digest },
      query,
      body,
      unread: [],
      ...more,
    })) as Wire;
  }

  /** The error of a call that must fail. */
  async refusal(caller: Caller, id: string, input: Input = {}): Promise<Refusal> {
    try {
      await this.call(caller, id, input);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const status = error.toStatus("iam.test");
      return {
        name: error.name,
        message: error.message,
        violations: fieldViolations(status),
        preconditions: preconditionViolations(status),
        resource: status.details?.find((detail) => detail["@type"] === RESOURCE_INFO),
      };
    }
    throw new Error(`${id} was not refused`);
  }

  /** An organization and its owner, who has every capability in it. */
  async organization(name: string, subject = `owner of ${name}`): Promise<{ uid: string; owner: Caller }> {
    const founder = await this.person(subject);
    const { uid } = await this.call(founder, "groups.create", { body: { name } });
    return { uid, owner: await this.person(subject) };
  }

  /** A person with a role at some groups. */
  async member(subject: string, role: string, groups: readonly string[], by: Caller): Promise<Caller> {
    const { identities } = await this.person(subject);
    const roleUid = /^[0-9a-f]{40}/.test(role) ? role : builtInRoleUid(role);
    for (const parent of groups)
      await this.call(by, "roleBindings.create", { parent, body: { identityUid: identities[0], roleUid } });
    for (const parent of groups) await recordAccepted(this.database, parent, identities[0] ?? "");
    return this.person(subject);
  }
}

export interface Refusal {
  readonly name: string;
  readonly message: string;
  readonly violations: FieldViolation[];
  readonly preconditions: PreconditionViolation[];
  /** The ResourceInfo, if there is one. */
  readonly resource: Wire | undefined;
}
