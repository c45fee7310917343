import { expect } from "vitest";

import { pathOf, type Endpoint } from "~/contract/endpoint";
import { endpoints } from "~/contract/index";
import { kindOf, kinds } from "~/contract/kinds";
import { fieldViolations } from "~/contract/status";

import { tableOf } from "../handlers/children";
import { builtInRoleUid } from "../store/roles";
import { personUid } from "../store/uids";
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

/** What a path names that is no uid. */
export const ARTIFACT = "python:requests";

/** Long enough for a file of tests on a slow machine, in seconds. */
const LIFE = 3_600;

export const endpointOf = (id: string): Endpoint => {
  const found = endpoints.find((endpoint) => endpoint.id === id);
  if (!found) throw new Error(`no ${id}`);
  return found;
};

/** What the records of a collection lie in; of what is no resource the one that its paths name: a repo, of an image. */
export const collectionAbove = (collection: string): string => {
  if (collection === "termsAcceptances") return "groups";
  const { path } = endpoints.find((endpoint) => endpoint.collection === collection) ?? { path: "" };
  return kindOf(collection)?.parent ?? /(\w+)\/\{uid\}/.exec(path)?.[1] ?? "groups";
};

/** Whether records of a collection are made in folders of their own here. */
export const needsRoom = (collection: string): boolean =>
  ["terms", "subscriptions"].includes(collection) || kindOf(collection)?.keyedByParent === true;

/** The violated fields of a refusal, in its order. */
export const fieldsOf = (answer: Answer): string[] => fieldViolations(answer.json).map(({ field }) => field);

/** The whole service over HTTP, with the few things that every walk through it begins with. */
export class World {
  /** With TRANSPORT=grpc calls go over gRPC wherever that can say the same: `npm run test:long`. */
  readonly grpc: OverGrpc | undefined;
  private known: { readonly next: string; readonly records: unknown } | undefined;

  constructor(readonly service: TestService) {
    this.grpc = process.env["TRANSPORT"] === "grpc" ? new OverGrpc(service.url) : undefined;
  }

  static async open(variables: Readonly<Record<string, string>> = {}): Promise<World> {
    return new World(await startService(variables));
  }

  /** One call; a body goes only where the operation takes one. */
  async send(
    token: string | undefined,
    id: string,
    { uid = "", parent = "", digest = "", query = {}, body }: Input = {},
  ): Promise<Answer> {
    const endpoint = endpointOf(id);
    const variables = { uid, parent, digest, artifactId: ARTIFACT };
    const answer = await this.grpc?.send(token, id, { variables, query, body });
    if (answer) return answer;
    const search = new URLSearchParams(query).toString();
    const path = pathOf(endpoint, variables) + (search && `?${search}`);
    return this.service.call(endpoint.method, path, {
      ...(token !== undefined && { token }),
      ...(endpoint.body && { body }),
    });
  }

  /** The answer of a call that has to succeed. */
  async make(by: Person, id: string, input: Input = {}): Promise<Wire> {
    const answer = await this.send(by.token, id, input);
    if (answer.status !== 200) throw new Error(`${id}: ${answer.bytes.toString()}`);
    return answer.bytes.length === 0 ? {} : answer.json;
  }

  /** @returns the uid of the record that was made; `parent` is "" for an organization */
  async create(by: Person, collection: string, parent: string, body: unknown): Promise<string> {
    const readOnly = READ_ONLY[collection];
    if (readOnly) return readOnly.create(this.service.database, parent, body as { name: string });
    return (await this.make(by, `${collection}.create`, { parent, body }))["uid"];
  }

  /**
   * Where one more record of a collection can be made under a group: in a folder of its own where there is room for one
   * or for few only, or where it would bind what others make.
   */
  async room(by: Person, collection: string, parent: string): Promise<string> {
    if (!needsRoom(collection)) return parent;
    return this.create(by, "groups", parent, { name: "a room of its own" });
  }

  /** Somebody who signs in at the service itself. */
  async person(subject: string): Promise<Person> {
    const token = await this.service.token(subject, {}, { seconds: LIFE });
    const person = { uid: personUid(this.service.config.issuer, subject), token };
    await this.make(person, "ping.ping");
    return person;
  }

  /** The token of a machine at the trusted issuer. */
  machine(subject: string, claims: Wire = {}): Promise<string> {
    const { issuer, url } = this.service;
    return issuer.sign({ sub: subject, aud: url, ...claims }, { seconds: LIFE });
  }

  /** How a machine at the trusted issuer is recognised. */
  claims(subject: string): { claimMatch: { issuer: string; subject: string } } {
    return { claimMatch: { issuer: this.service.issuer.url, subject } };
  }

  /** `role` is the name of a built-in role or the uid of one. */
  bind(by: Person, parent: string, identityUid: string, role: string): Promise<Wire> {
    const roleUid = /^[0-9a-f]{40}/.test(role) ? role : builtInRoleUid(role);
    return this.make(by, "roleBindings.create", { parent, body: { identityUid, roleUid } });
  }

  /** Somebody bound at a group with a role of these capabilities alone, made in the organization. */
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

  /** Every record as the database has it, but for when it was last used. */
  async records(): Promise<unknown> {
    const { database } = this.service;
    const found: Record<string, Wire[]> = {};
    for (const { collection } of kinds)
      found[collection] = await database.query(`select * from ${tableOf(collection)} order by uid`);
    const counts = await database.query("select * from tag_counts order by uid");
    const events = await database.query("select * from advisory_events order by uid");
    const history = await database.query("select * from tag_history order by repo_uid, tag, since");
    const manifests = await database.query("select * from manifests order by repo_uid, digest, architecture");
    found["acceptances"] = await database.query("select * from terms_acceptances order by uid");
    const seen = found["identities"]?.map((row) => ({ ...row, last_seen_at: null }));
    return { ...found, identities: seen, counts, events, history, manifests };
  }

  /** The records, read anew only where a transaction has written since: reading them all is most of what a refusal costs. */
  private async state(): Promise<unknown> {
    const [row] = await this.service.database.query<{ next: string }>(
      "select pg_snapshot_xmax(pg_current_snapshot())::text as next",
    );
    if (this.known?.next !== row?.next) this.known = { next: row!.next, records: await this.records() };
    return this.known!.records;
  }

  /** Runs what must leave every record as it is. */
  async unchanged<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.state();
    const result = await work();
    expect(await this.state()).toEqual(before);
    return result;
  }
}
