import { expect } from "vitest";

import { pathOf, type Endpoint } from "platform-contract/endpoint";
import { endpoints } from "platform-contract";
import { kindOf, everyKind } from "platform-contract/kinds";
import { fieldViolations } from "platform-contract/status";

import { tableOf } from "../platform/standard/children.table";
import type { Log } from "../log";
import { builtInRoleUid } from "../domains/access/roles.table";
import { isRootLevel } from "../platform/access/caller";
import { recordAccepted } from "../domains/access/memberships.table";
import { personUid } from "../platform/store/uids";
import type { Answer } from "../testing/app";
import { OverGrpc } from "../testing/over-grpc";
import { startService, type TestService } from "../testing/service";
import { READ_ONLY } from "./read-only";

export type Wire = Record<string, any>;
export interface Input {
  readonly uid?: string;
  readonly parent?: string;
  readonly digest?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
export interface Person {
  readonly uid: string;
  readonly token: string;
}

/** A path parameter that is not a uid. */
export const ARTIFACT = "python:requests";

/** Token lifetime in seconds: long enough for a test file on a slow machine. */
const LIFE = 3_600;

export const endpointOf = (id: string): Endpoint => {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};

/**
 * The parent collection of a collection's records; for non-resources, the one in their path, such as an image's repo.
 */
export const collectionAbove = (collection: string): string => {
  if (["termsAcceptances", "machineOwners", "accessReviews", "accessReviewItems"].includes(collection))
    return "groups";
  const { path } = endpoints.find((endpoint) => endpoint.collection === collection) ?? { path: "" };
  return kindOf(collection)?.parent ?? /(\w{1,50})\/\{uid\}/.exec(path)?.[1] ?? "groups";
};

/** True if each record of a collection needs its own folder in these tests. */
export const needsRoom = (collection: string): boolean =>
  ["terms", "subscriptions"].includes(collection) || kindOf(collection)?.keyedByParent === true;

/** The violated fields of an error response, in order. */
export const fieldsOf = (answer: Answer): string[] => fieldViolations(answer.json).map(({ field }) => field);

/** The whole service over HTTP, with helpers that every test needs. */
export class World {
  /** With TRANSPORT=grpc, calls go over gRPC wherever it can express them: `npm run test:long`. */
  readonly grpc: OverGrpc | undefined;
  private known: { readonly next: string; readonly records: unknown } | undefined;

  constructor(readonly service: TestService) {
    this.grpc = process.env["TRANSPORT"] === "grpc" ? new OverGrpc(service.url) : undefined;
  }

  static async open(variables: Readonly<Record<string, string>> = {}, log?: Log): Promise<World> {
    return new World(await startService(variables, log));
  }

  /** Makes one call; sends a body only if the operation takes one. */
  async send(
    token: string | undefined,
    id: string,
    { uid = "", parent = "", digest = "", query = {}, body }: Input = {},
  ): Promise<Answer> {
    const endpoint = endpointOf(id);
    const variables = { uid, parent, digest, artifactId: ARTIFACT };
    const answer = endpoint.isToken
      ? undefined
      : await this.grpc?.send(token, id, { variables, query, body });
    if (answer) return answer;
    const search = new URLSearchParams(query).toString();
    const path = pathOf(endpoint, variables) + (search && `?${search}`);
    return this.service.call(endpoint.method, path, {
      ...(token !== undefined && { token }),
      ...(endpoint.body && { body }),
    });
  }

  /** The response of a call that must succeed. */
  async make(by: Person, id: string, input: Input = {}): Promise<Wire> {
    const answer = await this.send(by.token, id, input);
    if (answer.status !== 200) throw new Error(`${id}: ${answer.bytes.toString()}`);
    return answer.bytes.length === 0 ? {} : answer.json;
  }

  /** @returns the uid of the created record; `parent` is "" for an organization */
  async create(by: Person, collection: string, parent: string, body: unknown): Promise<string> {
    const readOnly = READ_ONLY[collection];
    if (readOnly) return readOnly.create(this.service.database, parent, body as { name: string });
    return (await this.make(by, `${collection}.create`, { parent, body }))["uid"];
  }

  /**
   * A parent under a group for one more record: its own folder if there is room for only one or a few, or if it would
   * affect what others create.
   */
  async room(by: Person, collection: string, parent: string): Promise<string> {
    if (!needsRoom(collection)) return parent;
    return this.create(by, "groups", parent, { name: "a room of its own" });
  }

  /** A person who signs in with the service itself. */
  async person(subject: string): Promise<Person> {
    const token = await this.service.token(subject, {}, { seconds: LIFE });
    const person = { uid: personUid(this.service.config.issuer, subject), token };
    await this.make(person, "ping.ping");
    return person;
  }

  /** A token for a machine from the trusted issuer. */
  machine(subject: string, claims: Wire = {}): Promise<string> {
    const { issuer, url } = this.service;
    return issuer.sign({ sub: subject, aud: url, ...claims }, { seconds: LIFE });
  }

  /** The claim match that recognizes a machine of the trusted issuer. */
  claims(subject: string): { claimMatch: { issuer: string; subject: string } } {
    return { claimMatch: { issuer: this.service.issuer.url, subject } };
  }

  /** Offers a role, which a person has not accepted by that. `role` is the name of a built-in role or the uid of one. */
  offer(by: Person, parent: string, identityUid: string, role: string): Promise<Wire> {
    const roleUid = /^[0-9a-f]{40}/.test(role) ? role : builtInRoleUid(role);
    return this.make(by, "roleBindings.create", { parent, body: { identityUid, roleUid } });
  }

  /** A role that a person has accepted. */
  async bind(by: Person, parent: string, identityUid: string, role: string): Promise<Wire> {
    const made = await this.offer(by, parent, identityUid, role);
    if (isRootLevel(identityUid)) await recordAccepted(this.service.database, parent, identityUid);
    return made;
  }

  /** A person at a group with a new role that has only these capabilities. */
  async holder(
    by: Person,
    name: string,
    capabilities: readonly string[],
    group: string,
  ): Promise<Person & { readonly role: string }> {
    const role = await this.make(by, "roles.create", {
      parent: group,
      body: { name: name.slice(0, 63), capabilities },
    });
    const person = await this.person(name);
    await this.bind(by, group, person.uid, role["uid"]);
    return { ...person, role: role["uid"] };
  }

  /** Every record in the database, without its time of last use. */
  async records(): Promise<unknown> {
    const { database } = this.service;
    const found: Record<string, Wire[]> = {};
    for (const { collection } of everyKind)
      found[collection] = await database.query(`select * from ${tableOf(collection)} order by uid`);
    const counts = await database.query("select * from tag_counts order by uid");
    const events = await database.query("select * from advisory_events order by uid");
    const history = await database.query("select * from tag_history order by repo_uid, tag, since");
    const manifests = await database.query("select * from manifests order by repo_uid, digest, architecture");
    found["acceptances"] = await database.query("select * from terms_acceptances order by uid");
    const seen = found["identities"]?.map((row) => ({ ...row, last_seen_at: null }));
    return { ...found, identities: seen, counts, events, history, manifests };
  }

  /** The records, cached until a transaction writes: reading them is most of the cost of a rejected call. */
  private async state(): Promise<unknown> {
    const [row] = await this.service.database.query<{ next: string }>(
      "select pg_snapshot_xmax(pg_current_snapshot())::text as next",
    );
    if (this.known?.next !== row?.next) this.known = { next: row!.next, records: await this.records() };
    return this.known!.records;
  }

  /** Runs work that must not change any record. */
  async unchanged<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.state();
    const result = await work();
    expect(await this.state()).toEqual(before);
    return result;
  }
}
