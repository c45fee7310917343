import type { Caller } from "../access/caller";
import type { Config } from "../../config";
import { unauthenticated } from "../../status";
import type { Database, Queries } from "../store/database";
import { isOverQuota } from "../store/quotas";
import { findProvider, type Provider } from "../../domains/federation/identity-providers.table";
import { notePush } from "../store/scim/directory";
import { isScimToken, lockScimSettings, readScimSettings } from "../store/scim/settings";
import { personUid, uidOf } from "../store/uids";
import { createDiscovery } from "./discovery";
import { notAllowed, notFound, ScimError } from "./error";
import { listResources, readQuery, searchAll } from "./list";
import { changesOf } from "./logged";
import type { InTurn, ScimAnswer, ScimRequest } from "./messages";
import { ChangedMeanwhile, patch, type Patched } from "./patch-request";
import { readGroup, readUser, requireMatch } from "./reading";
import { etagOf, groupFields, groupOf, projected, userOf } from "./resources";
import { GROUPS, isNamed, USERS, type ResourceType } from "./schemas";
import { resourceOf, type ScimFields } from "./values";
import { removeGroup, removeUser, saveGroup, saveUser, type Directory } from "./write";

/** A change, for the log: what was done to whom. */
interface Done {
  readonly answer: ScimAnswer;
  readonly action: string;
  readonly changes: readonly { readonly field: string; readonly before?: string; readonly after?: string }[];
  /** The user's account, if they have one. */
  readonly account?: string | undefined;
  /** What the directory knows: a user or a group, by its id. */
  readonly of: {
    readonly kind: "directoryUsers" | "directoryGroups";
    readonly uid: string;
    readonly name: string;
  };
}

const off = (): ScimError => new ScimError(403, "SCIM is turned off for this identity provider");

export interface ScimService {
  /** Throws UNAUTHENTICATED, whether or not there is such a provider. */
  authenticate(provider: string, token: string | undefined): Promise<Caller>;
  /** Throws a ScimError or a Failure. */
  perform(request: ScimRequest, inTurn: InTurn): Promise<ScimAnswer>;
}

/** SCIM 2.0 (RFC 7643, RFC 7644) for the directories of identity providers. */
export function createScim({ config, database }: { config: Config; database: Database }): ScimService {
  const discovery = createDiscovery();
  const baseOf = (provider: string) => `${config.publicUrl}/scim/v2/${provider}`;

  async function requireOn(queries: Queries, { provider }: ScimRequest): Promise<void> {
    if (!(await readScimSettings(queries, [provider]))(provider).enabled) throw off();
  }

  /** One write of the directory, after all others of it; leaves an entry with the provider as its actor. */
  async function write(
    request: ScimRequest,
    work: (directory: Directory) => Promise<Done>,
  ): Promise<ScimAnswer> {
    let provider: Provider | undefined;
    const transaction = database.transaction(
      async (queries) => {
        const settings = await lockScimSettings(queries, request.provider);
        provider = await findProvider(queries, request.provider);
        // Again: the token may have been revoked while the request waited.
        if (!settings || !provider || !isScimToken(settings, request.token)) throw refused();
        if (!settings.enabled) throw off();
        const { issuer, correlationRule } = provider.oidc;
        const bySubject = correlationRule !== "CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID";
        const directory = {
          queries,
          issuer: config.issuer,
          provider: { uid: provider.uid, issuer, bySubject },
        };
        const result = await work(directory);
        await notePush(queries, request.provider);
        return result;
      },
      ({ action, changes, account, of }) => {
        const { uid = request.provider, parent = "" } = provider ?? {};
        const person = account !== undefined && {
          kind: "identities",
          uid: personUid(config.issuer, account),
        };
        const record = { ...of, ...person };
        return {
          issuer: config.issuer,
          subject: `scim:${uid}`,
          identity: uid,
          arrival: request.arrival,
          act: { action: `scim.${action}`, group: parent, ...record, changes },
        };
      },
    );
    const done = await transaction.catch((error: unknown) => {
      // Not 429: a directory would send it again and again.
      throw isOverQuota(error) ? new ScimError(403, error.message.replace(/^[A-Z][a-z ]+: /, "")) : error;
    });
    return done.answer;
  }

  const answered = (
    request: ScimRequest,
    type: ResourceType,
    resource: ScimFields,
    status = 200,
  ): ScimAnswer => {
    const { location, version }: { location: string; version: string } = Object(resource["meta"]);
    const query = readQuery(Object.fromEntries(request.search));
    return {
      status,
      body: projected(resource, type.schema.id, query),
      headers: { etag: version, ...(status === 201 && { location }) },
    };
  };

  /** Creates, replaces or patches a user. */
  const putUser = (request: ScimRequest, id?: string, patched?: Patched): Promise<ScimAnswer> =>
    write(request, async (directory) => {
      const { queries } = directory;
      const { provider, body } = request;
      const before = id === undefined ? undefined : await readUser(queries, provider, id);
      if (id !== undefined && !before) throw notFound();
      if (before) requireMatch(request, before);
      if (before && patched && before.version !== patched.version) throw new ChangedMeanwhile();
      // What decides who somebody is stays, if a replacement does not mention it.
      const { externalId, active }: ScimFields = before?.resource ?? {};
      const kept = { ...(externalId !== undefined && { externalId }), ...(before && { active }) };
      const next = patched?.next ?? { ...kept, ...resourceOf(USERS, body) };
      const { id: stored, account } = await saveUser(directory, before, next);
      const row = await readUser(queries, provider, stored);
      if (!row) throw notFound();
      return {
        answer: answered(request, USERS, userOf(baseOf(provider), row), before ? 200 : 201),
        action: before ? "users.update" : "users.create",
        changes: changesOf(before?.resource, row.resource),
        account: account ?? before?.account ?? undefined,
        of: { kind: "directoryUsers", uid: stored, name: String(row.resource["userName"]) },
      };
    });

  const putGroup = (request: ScimRequest, id?: string, patched?: Patched): Promise<ScimAnswer> =>
    write(request, async (directory) => {
      const { queries } = directory;
      const { provider, method, body } = request;
      const before = id === undefined ? undefined : await readGroup(queries, provider, id);
      if (id !== undefined && !before) throw notFound();
      if (before) requireMatch(request, before);
      if (before && patched && before.version !== patched.version) throw new ChangedMeanwhile();
      const former = before && groupFields(before);
      const { externalId } = former ?? {};
      const kept = { ...(externalId !== undefined && { externalId }) };
      const next = patched?.next ?? { ...kept, ...resourceOf(GROUPS, body) };
      const { id: stored, changed } = await saveGroup(directory, before, next);
      const row = await readGroup(queries, provider, stored);
      if (!row) throw notFound();
      // With many members, a whole group is not worth sending back unless it was asked for.
      const isBrief = method === "PATCH" && !request.search.has("attributes");
      return {
        answer: isBrief
          ? { status: 204, headers: { etag: etagOf(row) } }
          : answered(request, GROUPS, groupOf(baseOf(provider), row), before ? 200 : 201),
        action: before ? "groups.update" : "groups.create",
        changes: changesOf(former, groupFields(row), changed),
        of: { kind: "directoryGroups", uid: stored, name: row.name },
      };
    });

  const remove = (request: ScimRequest, type: ResourceType, id: string): Promise<ScimAnswer> =>
    write(request, async (directory) => {
      const { queries } = directory;
      const answer = { status: 204 };
      if (type === USERS) {
        const user = await readUser(queries, request.provider, id);
        if (!user) throw notFound();
        requireMatch(request, user);
        await removeUser(directory, user);
        const of = { kind: "directoryUsers", uid: id, name: String(user.resource["userName"]) } as const;
        const account = user.account ?? undefined;
        return {
          answer,
          action: "users.delete",
          changes: changesOf(user.resource, undefined),
          account,
          of,
        };
      }
      const group = await readGroup(queries, request.provider, id);
      if (!group) throw notFound();
      requireMatch(request, group);
      await removeGroup(directory, group);
      const of = { kind: "directoryGroups", uid: id, name: group.name } as const;
      return { answer, action: "groups.delete", changes: changesOf(groupFields(group), undefined), of };
    });

  async function readOne(request: ScimRequest, type: ResourceType, id: string): Promise<ScimAnswer> {
    const { provider } = request;
    const base = baseOf(provider);
    await requireOn(database, request);
    const user = type === USERS ? await readUser(database, provider, id) : undefined;
    const group = type === GROUPS ? await readGroup(database, provider, id) : undefined;
    const row = user ?? group;
    if (!row) throw notFound();
    const tags = request.ifNoneMatch?.split(",").map((tag) => tag.trim());
    if (tags?.some((tag) => tag === "*" || tag.replace(/^W\//, "") === etagOf(row).replace(/^W\//, "")))
      return { status: 304, headers: { etag: etagOf(row) } };
    return answered(request, type, user ? userOf(base, user) : groupOf(base, group!));
  }

  /** Of both types, if none is given. */
  async function readMany(
    request: ScimRequest,
    type: ResourceType | undefined,
    given: Readonly<Record<string, unknown>>,
    inTurn: InTurn,
  ): Promise<ScimAnswer> {
    const { provider } = request;
    await inTurn(() => requireOn(database, request));
    const at = { database, provider, base: baseOf(provider), inTurn };
    const query = readQuery(given);
    return { status: 200, body: await (type ? listResources(at, type, query) : searchAll(at, query)) };
  }

  return {
    async authenticate(provider, token) {
      const settings = (await readScimSettings(database, [provider]))(provider);
      if (token === undefined || !isScimToken(settings, token)) throw refused();
      return {
        issuer: config.issuer,
        subject: `scim:${provider}`,
        key: uidOf(`scim\n${provider}`),
        identities: [provider],
        grants: [],
      };
    },

    async perform(request, inTurn) {
      const { method, path } = request;
      const [name = "", given, ...more] = path.split("/").slice(1);
      const id = given === undefined || given === "" ? undefined : decoded(given);
      const reads = method === "GET" || method === "HEAD";
      if (more.length > 0) throw notFound();
      if (/^(?:ServiceProviderConfig|Schemas|ResourceTypes)$/i.test(name)) {
        if (!reads) throw notAllowed("GET, HEAD");
        const body = discovery(baseOf(request.provider), request.search, name, id);
        return { status: 200, body, constant: true };
      }
      if (/^(?:Bulk|Me)$/i.test(name)) throw new ScimError(501, `${name} is not supported`);
      if (name === ".search" && id === undefined) {
        if (method !== "POST") throw notAllowed("POST");
        return readMany(request, undefined, request.body, inTurn);
      }
      const type = [USERS, GROUPS].find(({ endpoint }) => isNamed(endpoint, `/${name}`));
      if (!type) throw notFound();
      if (id === ".search") {
        if (method !== "POST") throw notAllowed("POST");
        return readMany(request, type, request.body, inTurn);
      }
      if (id === undefined) {
        if (reads) return readMany(request, type, Object.fromEntries(request.search), inTurn);
        if (method !== "POST") throw notAllowed("GET, HEAD, POST");
        return inTurn(() => (type === USERS ? putUser(request) : putGroup(request)));
      }
      if (reads) return inTurn(() => readOne(request, type, id));
      if (method === "DELETE") return inTurn(() => remove(request, type, id));
      const put = type === USERS ? putUser : putGroup;
      if (method === "PATCH") {
        await inTurn(() => requireOn(database, request));
        return patch(request, type, id, { database, inTurn }, (patched) => put(request, id, patched));
      }
      if (method !== "PUT") throw notAllowed("GET, HEAD, PUT, PATCH, DELETE");
      return inTurn(() => put(request, id));
    },
  };
}

const refused = () => unauthenticated("the SCIM token is not valid");

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notFound();
  }
}
