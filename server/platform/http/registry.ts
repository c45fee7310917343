import type { IncomingMessage } from "node:http";
import { createHash, timingSafeEqual } from "node:crypto";

import type { Authenticator } from "../access/authenticate";
import type { Caller } from "../access/caller";
import type { Config, RegistrySettings } from "../../config";
import { decideScopes, type GrantedRepository } from "../../domains/registry/registry-access";
import { recordPusher, storeLooks } from "../../domains/registry/registry-looks.table";
import { findNamed } from "../../domains/registry/namespaces.table";
import type { Log } from "../../log";
import { now } from "../store/clock";
import { readEvents, type Pull } from "../registry/events";
import { registryKeys } from "../registry/keys";
import { readScopes, within } from "../registry/names";
import { createRegistrySigner, type RegistryToken } from "../registry/tokens";
import type { Handler, InTurn } from "../standard/call";
import { Failure, invalidArgument } from "../../status";
import type { Database } from "../store/database";
import { createTurns, type Over } from "../../turns";
import { json, type Answer } from "./answers";
import { bearerOf, type ApiRequest } from "./api";
import { readForm, readLargeObject } from "./body";
import type { Calls } from "./calls";
import { arrivalOf, codeOf, identityOf } from "./incoming";
import { headerOf } from "./messages";
import { readOnly } from "./read-only";

/** Seconds for which a token lives that cannot push or delete. */
const PULL_TTL = 300;
/** Scopes of one request: a client that pushes asks for its own repository, and one for each it mounts from. */
const MOST_SCOPES = 50;
/** Events of one envelope that are read; notifications being processed at once. */
const MOST_EVENTS = 20_000;
const EVENT_BYTES = 16 * 1024 * 1024;
const EVENT_SHARE = { running: 2, waiting: 200, unsent: Infinity };

/** Error codes of the distribution specification, "Error Codes". */
const CODES: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: "UNAUTHORIZED",
  PERMISSION_DENIED: "DENIED",
  RESOURCE_EXHAUSTED: "TOOMANYREQUESTS",
  INVALID_ARGUMENT: "UNSUPPORTED",
  NOT_FOUND: "NAME_UNKNOWN",
};

/** What a client asks for, in either form. */
interface TokenRequest {
  readonly service: string | undefined;
  readonly scopes: readonly string[];
}

function readRequest(parameters: URLSearchParams, settings: RegistrySettings): TokenRequest {
  const scopes = parameters.getAll("scope").flatMap((text) => text.split(" ").filter(Boolean));
  const service = parameters.get("service") || undefined;
  if (service !== undefined && service !== settings.service)
    throw invalidArgument([{ field: "service", description: `must be ${settings.service}` }]);
  if (scopes.length > MOST_SCOPES)
    throw invalidArgument([{ field: "scope", description: `must be at most ${MOST_SCOPES} scopes` }]);
  return { service, scopes };
}

/** RFC 7617; the name before the colon says nothing. */
function passwordIn(header: string | undefined): string | undefined {
  const encoded = /^Basic +([\w+/=-]+) *$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString();
  const at = text.indexOf(":");
  return at < 0 ? undefined : text.slice(at + 1) || undefined;
}

const hashed = (text: string): Buffer => createHash("sha256").update(text).digest();

export interface RegistryApiOptions {
  readonly config: Config;
  readonly database: Database;
  readonly authenticator: Authenticator;
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly log: Log;
  readonly calls: Calls;
  /** Called when there is a reason to look into the registry. */
  readonly onLooks: () => void;
  /** Called with pulls that notifications tell. */
  readonly onPulls: (pulls: readonly Pull[]) => void;
}

/**
 * Handles `/registry/token`, `/registry/jwks.json` and `/registry/events` of a connected registry (docs/registry.md), with
 * the registry's own errors; undefined for any other path. Without a registry these paths lead nowhere.
 */
export function createRegistryApi(
  options: RegistryApiOptions,
): (call: ApiRequest) => Promise<Answer | undefined> {
  const { config, database, calls, log } = options;
  const settings = config.registry;
  if (!settings) return async () => undefined;
  const answerToken = tokenService(options, settings);
  const takeEvents = eventService(options, settings);

  function refuse(error: unknown, requestId: string): Answer {
    const failure = calls.refusal(error, requestId);
    const { retryAfter } = failure.options;
    const code = CODES[failure.name] ?? (failure.name === "UNAVAILABLE" ? "UNAVAILABLE" : "UNKNOWN");
    return json({ errors: [{ code, message: failure.message, detail: null }] }, failure.http, {
      ...(retryAfter !== undefined && { "retry-after": String(Math.ceil(retryAfter)) }),
      ...(failure.name === "UNAUTHENTICATED" && { "www-authenticate": `Basic realm="${config.publicUrl}"` }),
    });
  }

  return async (call) => {
    const { path, method, requestId } = call;
    const isRead = method === "GET" || method === "HEAD";
    try {
      if (path === "/registry/jwks.json" && isRead) return json(await registryKeys(database));
      if (path === "/registry/token" && (isRead || method === "POST")) return await answerToken(call);
      // It sends them again.
      if (path === "/registry/events" && method === "POST" && config.readOnly) throw readOnly();
      if (path === "/registry/events" && method === "POST") return await takeEvents(call);
    } catch (error) {
      if (codeOf(error) !== "INTERNAL")
        log.info({ requestId, path, code: codeOf(error) }, "the registry was refused");
      return refuse(error, requestId);
    }
    return undefined;
  };
}

function tokenService(options: RegistryApiOptions, settings: RegistrySettings) {
  const { authenticator, calls } = options;

  /** The password and the request, of the GET form or of the OAuth2 form (Distribution, "OAuth2 Token Authentication"). */
  async function read({ method, request, search }: ApiRequest) {
    if (method !== "POST") {
      const password = passwordIn(headerOf(request, "authorization"));
      return { password, asked: readRequest(new URLSearchParams(search), settings) };
    }
    const form = await readForm(request);
    const grant = form.get("grant_type");
    if (grant !== "password" && grant !== "refresh_token")
      throw invalidArgument([{ field: "grant_type", description: "must be password or refresh_token" }]);
    const password = form.get(grant === "password" ? "password" : "refresh_token") || undefined;
    return { password, asked: readRequest(form, settings) };
  }

  const give = tokenGiver(options, settings);

  return async (call: ApiRequest): Promise<Answer> => {
    const { request, requestId, address, over, note, client } = call;
    const { password, asked } = await read(call);
    const incoming = {
      requestId,
      bearer: password,
      address,
      over,
      note,
      traceparent: headerOf(request, "traceparent"),
      transport: "http" as const,
    };
    const arrival = arrivalOf({ requestId, transport: "http", client });
    const { token, issuedAt, seconds, scope } = await calls.serve(incoming, {
      operation: "registry.token",
      codeOf,
      authenticate: () => authenticator.authenticate(password, "registry"),
      read: () => Promise.resolve(asked),
      work: ({ scopes }, inTurn, caller) => give(caller, scopes, { arrival, inTurn }),
    });
    // Both names of both forms: clients read either.
    return json({ token, access_token: token, expires_in: seconds, issued_at: issuedAt, scope });
  };
}

type Given = RegistryToken & { readonly scope: string };

function tokenGiver({ database, handlers, log }: RegistryApiOptions, settings: RegistrySettings) {
  const sign = createRegistrySigner(settings, database);

  /** Makes the repo of a first push, as the operation of the API does: its rules, events and entries hold. */
  async function create(caller: Caller, one: GrantedRepository, arrival: ReturnType<typeof arrivalOf>) {
    const handler = handlers.get("repos.create");
    const made = await handler?.({
      caller,
      path: { uid: "", parent: one.organization },
      query: {},
      body: { name: one.repoName },
      unread: [],
      arrival,
    });
    const { uid }: { uid: string } = Object(made);
    return uid;
  }

  /** The same without those whose repo could not be made: a name that was taken meanwhile, a full organization. */
  async function withRepos(
    caller: Caller,
    decided: readonly GrantedRepository[],
    arrival: ReturnType<typeof arrivalOf>,
  ): Promise<GrantedRepository[]> {
    const made: GrantedRepository[] = [];
    for (const one of decided)
      try {
        made.push(one.repo === undefined ? { ...one, repo: await create(caller, one, arrival) } : one);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        log.info(
          { requestId: arrival.requestId, repository: one.name, code: error.name },
          "no repo for a first push",
        );
      }
    return made;
  }

  return async (
    caller: Caller,
    scopes: readonly string[],
    { arrival, inTurn }: { arrival: ReturnType<typeof arrivalOf>; inTurn: InTurn },
  ): Promise<Given> => {
    const asked = readScopes(scopes);
    const pulls = asked.map((one) => ({ ...one, actions: ["pull"] as const }));
    const allowed = caller.readOnly ? within(asked, pulls) : asked;
    const identity = identityOf(caller);
    const limits = caller.registryScopes;
    const possible = limits ? within(allowed, readScopes(limits)) : allowed;
    const decided =
      possible.length === 0
        ? []
        : await inTurn(async () =>
            withRepos(caller, await decideScopes(database, caller, possible), arrival),
          );
    const writes = decided.filter(({ actions }) => actions.some((action) => action !== "pull"));
    const seconds = writes.length > 0 ? settings.pushTtl : PULL_TTL;
    const until = new Date(Date.now() + seconds * 1000);
    const { issuer, subject } = caller;
    const pushes = writes.flatMap(({ repo, actions }) =>
      repo !== undefined && actions.includes("push") ? [repo] : [],
    );
    if (pushes.length > 0)
      await inTurn(async () => {
        for (const repo of pushes.toSorted())
          await recordPusher(database, repo, { identity, issuer, subject }, until);
      });
    const access = decided.map(({ type, name, actions }) => ({ type, name, actions }));
    const left = asked.filter(({ name, actions }) => {
      const given = access.find((one) => one.name === name)?.actions ?? [];
      return actions.some((action) => !given.includes(action));
    });
    if (left.length > 0 || asked.length === 0)
      log.info(
        {
          requestId: arrival.requestId,
          actor: identity,
          refused: left.map(({ name, actions }) => `${name}:${actions.join(",")}`),
        },
        "registry token",
      );
    const token = await sign(identity, access, seconds);
    return {
      ...token,
      scope: access.map(({ type, name, actions }) => `${type}:${name}:${actions.join(",")}`).join(" "),
    };
  };
}

function eventService(
  { database, onLooks, onPulls }: RegistryApiOptions,
  { eventsSecret }: RegistrySettings,
) {
  const turns = createTurns({ atOnce: 2, share: EVENT_SHARE });
  const secret = eventsSecret === undefined ? undefined : hashed(eventsSecret);

  async function store(request: IncomingMessage): Promise<void> {
    const body = await readLargeObject(request, EVENT_BYTES);
    const { reasons, pulls } = await readEvents(body, MOST_EVENTS, now());
    onPulls(pulls);
    const named = await findNamed(database, reasons);
    await storeLooks(
      database,
      named.flatMap(({ repos: [uid, another], reference, actor }) =>
        uid === undefined || another !== undefined ? [] : [{ uid, reference, actor }],
      ),
    );
    if (named.length > 0) onLooks();
  }

  return async ({ request, over }: ApiRequest & { over: Over }): Promise<Answer> => {
    const given = bearerOf(headerOf(request, "authorization")) ?? "";
    // Hashes have one length, so that the time tells nothing.
    if (!secret || !timingSafeEqual(hashed(given), secret))
      throw new Failure(
        "UNAUTHENTICATED",
        "the secret of notifications is not the one of REGISTRY_EVENTS_SECRET",
      );
    await turns("registry", over, () => store(request));
    return json({});
  };
}
