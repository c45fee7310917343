import * as z from "zod/mini";

import { UID_PATTERN } from "./aip";
import type { Capability } from "./capability";

/**
 * What a caller must hold. Stated for every endpoint; the service mounts nothing without it.
 * - `at: "uid" | "parent"`: every capability, at the uid in that path variable or at one of its ancestors.
 * - `at: "visible"`: the response is limited to the groups where the caller holds the capabilities; never a 403.
 * - `at: "handler"`: the handler authorizes, because the place depends on the request (`because` says why).
 * - `at: "anyone"`: any authenticated caller.
 */
export type Access =
  | { readonly at: "uid" | "parent" | "visible"; readonly needs: readonly [Capability, ...Capability[]] }
  | {
      readonly at: "handler";
      readonly needs: readonly [Capability, ...Capability[]];
      readonly because: string;
    }
  | { readonly at: "anyone"; readonly needs: readonly [] };

/** One variable of a path. */
export interface PathVariable {
  readonly pattern: RegExp;
  /** Its rule, to append to its name in a sentence: `must be a uid`. */
  readonly sentence: string;
  /** For the OpenAPI document. */
  readonly description: string;
}

const uid = (description: string): PathVariable => ({
  pattern: UID_PATTERN,
  sentence: "must be a uid",
  description: `${description}; its slashes stay as they are`,
});
const UIDS: Readonly<Record<string, PathVariable>> = {
  uid: uid("The uid"),
  parent: uid("The uid of the parent"),
};

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * The parameter with which a write is only checked, and nothing is written (AIP-163): an extension. Other services may not
 * know it and write, so it is sent only where their `config.json` names it.
 */
export const VALIDATE_ONLY = "validateOnly";

/**
 * The parameter with which a read answers as of a time, as the audit log tells (`read_time` of Firestore and Spanner): an
 * extension, sent only where `config.json` names it.
 */
export const READ_TIME = "read_time";

/**
 * The parameter with which a list as of a time also tells what differs at this other time: an extension. Its pages hold
 * what was there at either.
 */
export const COMPARE_TIME = "compare_time";

/** Any zod schema that parses into `T`. */
export type Schema<T = unknown> = z.ZodMiniType<T>;

/** One operation of the API, as the service, the client and the OpenAPI document use it. */
export interface Endpoint<Query = unknown, Body = unknown, Answer = unknown> {
  /** `<collection>.<verb>`, for instance `identities.create`. */
  readonly id: string;
  readonly collection: string;
  readonly verb: string;
  readonly method: Method;
  /** Path template; `{uid}` and `{parent}` are greedy, their slashes stay raw. */
  readonly path: string;
  /** The path's variables by name, in the order of the path. */
  readonly variables: Readonly<Record<string, PathVariable>>;
  readonly access: Access;
  /** One schema per query parameter, under its canonical spelling. The schema describes the text on the wire. */
  readonly query: Readonly<Record<string, Schema>>;
  readonly body: Schema<Body> | undefined;
  /** Undefined if the response is empty. */
  readonly answer: Schema<Answer> | undefined;
  readonly summary: string;
  /** The operation with the same method and path whose handler also serves this one. */
  readonly shares?: string | undefined;
  /**
   * Issues a token: part of the published API over HTTP only. Its parameters limit the token, so that unknown ones, and
   * parameters in a body, are refused instead of ignored.
   */
  readonly isToken?: true | undefined;
  /** Fields of the answer (`token`) that are stored nowhere: an answer that is repeated for its key lacks them. */
  readonly shownOnce?: readonly string[] | undefined;
  /** `validateOnly` is refused: what it does is more than a transaction of the service can take back. */
  readonly refusesValidateOnly?: true | undefined;
  /** Types only, never a value. */
  readonly types?: { query: Query; body: Body; answer: Answer };
}

export type QueryOf<E> = E extends Endpoint<infer Query, infer _B, infer _A> ? Query : never;
export type BodyOf<E> = E extends Endpoint<infer _Q, infer Body, infer _A> ? Body : never;
export type AnswerOf<E> = E extends Endpoint<infer _Q, infer _B, infer Answer> ? Answer : never;

type Shape = Readonly<Record<string, Schema>>;
type OptionalKeys<S extends Shape> = { [K in keyof S]: undefined extends z.infer<S[K]> ? K : never }[keyof S];

/** The type of an object of these schemas: `z.infer`, without building the object. */
export type Read<S extends Shape> = { [K in Exclude<keyof S, OptionalKeys<S>>]: z.infer<S[K]> } & {
  [K in OptionalKeys<S>]?: z.infer<S[K]>;
};

export function endpoint<Q extends Shape, Body = undefined, Answer = undefined>(definition: {
  collection: string;
  verb: string;
  method: Method;
  path: string;
  /** Path variables that are not uids. */
  variables?: Readonly<Record<string, PathVariable>>;
  access: Access;
  query?: Q;
  body?: Schema<Body>;
  answer?: Schema<Answer>;
  summary: string;
  shares?: string | undefined;
  isToken?: true;
  shownOnce?: readonly string[];
  refusesValidateOnly?: true;
  /** It has a field of its own for that, or writes nothing. */
  withoutValidateOnly?: true;
}): Endpoint<Read<Q>, Body, Answer> {
  const { withoutValidateOnly, ...facts } = definition;
  const { collection, verb, path, method, isToken, body, answer } = facts;
  const isChecked = method !== "GET" && !isToken && !withoutValidateOnly;
  const query = {
    ...facts.query,
    ...(isChecked && { [VALIDATE_ONLY]: z.optional(z.boolean("must be true or false")) }),
  };
  const known = { ...UIDS, ...definition.variables };
  const variables = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, known[name] as PathVariable]),
  );
  return { ...facts, id: `${collection}.${verb}`, variables, query, body, answer } as Endpoint<
    Read<Q>,
    Body,
    Answer
  >;
}

/** The path of an endpoint with its variables filled in; slashes of a uid stay raw. */
export const pathOf = (
  { path }: Pick<Endpoint, "path">,
  variables: Readonly<Record<string, string>>,
): string =>
  path.replace(/\/?\{(\w+)\}/g, (match, name: string) => {
    const value = variables[name] ?? "";
    // A root group is created under the empty parent: POST /iam/v2/groups.
    if (value === "") return "";
    // The colon of a digest is literal.
    const written = value.split("/").map(encodeURIComponent).join("/").replaceAll("%3A", ":");
    return match.startsWith("/") ? `/${written}` : written;
  });
