import * as z from "zod/mini";

import { UID_PATTERN, listParameters, orderParameter, pageParameters } from "./aip";
import { checkPaths, omitFields, PLAIN, unanswered, type Behavior } from "./behavior";
import {
  COMPARE_TIME,
  endpoint,
  READ_TIME,
  type Access,
  type Endpoint,
  type Read,
  type Schema,
} from "./endpoint";
import { pathOfKind, type Kind } from "./kind";
import { answeredEnum, loose, sparse, timestamp } from "./schema";

type Shape = Readonly<Record<string, Schema>>;
type Verb = "list" | "get" | "create" | "update" | "delete";

/** At most one of these keys may be present (a oneof of protobuf); setting one clears the others. */
export interface Oneof {
  /** Where the keys are: "" for the resource itself, else the name of an object field. */
  readonly at: string;
  readonly members: readonly string[];
  readonly required: boolean;
}

/** Fields of every resource; only the uid is always present. */
export const common = {
  uid: z.string(),
  createTime: z.optional(z.string()),
  updateTime: z.optional(z.string()),
};

/**
 * The reader's form: only the uid and the name are certain. Servers omit even required fields from some responses.
 */
type Answered<S extends Shape, O extends Shape> = Read<typeof common> &
  Pick<Read<S>, keyof Read<S> & "name"> &
  Partial<Omit<Read<S>, "name">> &
  Read<O>;

export interface ListQuery {
  "uidp.descendants_of"?: string | undefined;
  "uidp.children_of"?: string | undefined;
  "uidp.ancestors_of"?: string | undefined;
  "uidp.in_root"?: boolean | undefined;
  "uidp.ids"?: string[] | undefined;
  page_size?: number | undefined;
  page_token?: string | undefined;
  order_by?: string | undefined;
  skip?: number | undefined;
  /** Where the kind has it. */
  read_time?: string | undefined;
  /** Beside `read_time`. */
  compare_time?: string | undefined;
}

/** What happened to a record between two times. */
export const RECORD_CHANGES = [
  "RECORD_CHANGE_CREATED",
  "RECORD_CHANGE_UPDATED",
  "RECORD_CHANGE_DELETED",
] as const;

const difference = z.looseObject({
  uid: z.string(),
  change: answeredEnum(RECORD_CHANGES),
  /** Of one that was updated: those that differ. */
  fields: z.optional(z.array(z.string())),
});

/** How a record of a list differs between the two times that were asked about: from the earlier to the later. */
export type ListedDifference = z.infer<typeof difference>;

/** A list response with its rows under the same name for every resource. */
export interface ListAnswer<T> {
  items: T[];
  nextPageToken?: string | undefined;
  /** An int64 in a string; absent if the server does not count. */
  totalCount?: string | undefined;
  skipped?: number | undefined;
  /** Of the rows that differ between `read_time` and `compare_time`. */
  differences?: ListedDifference[] | undefined;
  /** Organizations that the list would have and leaves out: what was there at `read_time` is not known. */
  unknownOrganizations?: string[] | undefined;
}

type Methods<M, T, I, F, E> = {
  [V in keyof M & Verb]: V extends "list"
    ? Endpoint<ListQuery & F, undefined, ListAnswer<T> & E>
    : V extends "get"
      ? Endpoint<object, undefined, T>
      : V extends "create"
        ? Endpoint<object, I, T>
        : V extends "update"
          ? Endpoint<{ updateMask?: string | undefined }, Partial<I>, T>
          : Endpoint<object, undefined, undefined>;
};

export interface Facts<T, I> extends Omit<Kind, "access"> {
  readonly answer: Schema<T>;
  /** Fields that a caller can set, each validated strictly. */
  readonly request: Schema<I>;
  readonly settable: Shape;
  readonly oneofs: readonly Oneof[];
  readonly behavior: Behavior;
  /** The list's own filters, in addition to the uidp ones. */
  readonly filters: Shape;
  readonly sortable: readonly string[];
  /** Collections whose responses repeat fields of this one: a write here makes them stale. */
  readonly affects: readonly string[];
}

export type Resource<T = unknown, I = unknown, F = unknown, M = Record<Verb, Access>, E = unknown> = Facts<
  T,
  I
> &
  Methods<M, T, I, F, E>;

export type ItemOf<R> = R extends Facts<infer T, infer _I> ? T : never;
export type InputOf<R> = R extends Facts<infer _T, infer I> ? I : never;

const readTimeOf = ({ readTime }: Pick<Kind, "readTime">) =>
  readTime && { [READ_TIME]: z.optional(timestamp()) };

const SORTABLE = ["uid", "name", "created_at", "updated_at"];

/**
 * A list in the API's envelope (AIP-132, AIP-158), with its rows under the name of the collection. Used directly, it
 * lists things that are not resources and have no other methods.
 */
export function listEndpoint<
  T,
  const F extends Shape,
  const E extends Shape = Readonly<Record<never, Schema>>,
>(definition: {
  collection: string;
  path: string;
  variables?: Endpoint["variables"];
  access: Access;
  row: Schema<T>;
  filters: F;
  /** Fields of the answer beside its rows: extensions, each optional. */
  beside?: E;
  /** If omitted, only the service decides the order. */
  sortable?: readonly string[];
  /** Its parameters: scopes and pages (most lists), pages (rows in no group) or only filters (no paging). */
  takes?: "scopes" | "pages" | "filters";
  summary: string;
  shares?: string;
}): Endpoint<ListQuery & Read<F>, undefined, ListAnswer<T> & Read<E>> {
  const { row, filters, beside = {}, sortable, takes = "scopes", ...rest } = definition;
  const envelope = z.looseObject({
    ...beside,
    [rest.collection]: z.optional(z.array(row)),
    nextPageToken: z.optional(z.string()),
    totalCount: z.optional(z.union([z.string(), z.number()])),
    skipped: z.optional(z.number()),
  });
  const order = sortable && { order_by: orderParameter(sortable) };
  const parameters = { scopes: listParameters, pages: pageParameters, filters: {} }[takes];
  return endpoint({
    ...rest,
    verb: "list",
    method: "GET",
    query: { ...parameters, ...order, ...filters },
    answer: envelope as Schema,
  }) as unknown as Endpoint<ListQuery & Read<F>, undefined, ListAnswer<T> & Read<E>>;
}

/** The list of a kind without its row fields: enough to count them, without importing the code of the resource. */
export const countedList = (kind: Kind) =>
  listEndpoint({
    collection: kind.collection,
    path: pathOfKind(kind),
    access: kind.access.list,
    row: z.looseObject({ uid: z.string() }),
    filters: { ...readTimeOf(kind) },
    summary: `Count ${kind.plural}`,
  });

/** How to delete records of a kind, and to check whether one was deleted; undefined if they cannot be deleted. */
export function deletableKind(kind: Kind) {
  const { collection, noun, access } = kind;
  if (!access.delete) return undefined;
  const path = `${pathOfKind(kind)}/{uid}`;
  const at = (verb: "get" | "delete") => ({ collection, verb, path, summary: `${verb} ${noun}` });
  return {
    ...(access.get && { get: endpoint({ ...at("get"), method: "GET", access: access.get }) }),
    delete: endpoint({ ...at("delete"), method: "DELETE", access: access.delete }),
  };
}

/** The standard methods (AIP-131 to AIP-135) of one resource, from one description of its fields. */
export function resource<
  const S extends Shape,
  const O extends Shape,
  const F extends Shape,
  const M extends Partial<Record<Verb, Access>>,
  const E extends Shape = Readonly<Record<never, Schema>>,
>(definition: {
  /** From the registry of kinds. */
  kind: Kind & { readonly access: M };
  /** Fields that a caller can set. */
  settable: S;
  /** Fields that only the service sets, beyond uid, createTime and updateTime. */
  output: O;
  oneofs?: readonly Oneof[];
  /** Fields that are not simply written and read back. */
  behavior?: Partial<Behavior>;
  filters: F;
  /** Fields of the list's answer beside its rows: extensions, each optional. */
  beside?: E;
  /** Parameters of a create: extensions, each optional. */
  createWith?: Shape;
  sortable?: readonly string[];
  affects?: readonly string[];
}): Resource<Answered<S, O>, Read<S>, Read<F>, M, Read<E>> {
  type Item = Answered<S, O>;
  const { kind, settable, output, oneofs = [], filters, beside } = definition;
  const { access, ...words } = kind;
  const { collection, noun, plural } = words;
  const given = Object.entries(settable).map(([key, field]) => [
    key,
    key === "name" ? field : z.optional(field),
  ]);
  const behavior = { ...PLAIN, ...definition.behavior };
  checkPaths(behavior, z.object(settable), z.object(output));
  const whole = loose(z.object({ ...common, ...Object.fromEntries(given), ...output }));
  const answer = omitFields(whole, unanswered(behavior)) as Schema<Item>;
  const created = omitFields(whole, unanswered({ ...behavior, shownOnce: [] })) as Schema<Item>;
  const request = z
    .object(settable)
    .check(...oneofs.flatMap((oneof) => oneofChecks(oneof))) as unknown as Schema<Read<S>>;
  const sortable = definition.sortable ?? SORTABLE;
  const base = pathOfKind(kind);
  const updateMask = { updateMask: z.optional(z.string()) };
  const at = (verb: Verb) => ({ collection, verb, access: access[verb] as Access });
  const methods = {
    list: () =>
      listEndpoint({
        ...at("list"),
        path: base,
        row: answer,
        filters: {
          ...filters,
          ...readTimeOf(kind),
          ...(kind.readTime && { [COMPARE_TIME]: z.optional(timestamp()) }),
        },
        beside: {
          ...(beside as Shape | undefined),
          ...(kind.readTime && {
            differences: z.optional(z.array(difference)),
            unknownOrganizations: z.optional(z.array(z.string())),
          }),
        },
        sortable,
        summary: `List ${plural}`,
      }),
    get: () =>
      endpoint({
        ...at("get"),
        method: "GET",
        path: `${base}/{uid}`,
        query: { ...readTimeOf(kind) },
        answer,
        summary: `Get one ${noun}`,
      }),
    create: () =>
      endpoint({
        ...at("create"),
        method: "POST",
        path: `${base}/{parent}`,
        ...(definition.createWith && { query: definition.createWith }),
        body: request,
        answer: behavior.shownOnce.length > 0 ? created : answer,
        shownOnce: behavior.shownOnce,
        summary: `Create ${article(noun)} ${noun} under a parent`,
      }),
    update: () =>
      endpoint({
        ...at("update"),
        method: "PATCH",
        path: `${base}/{uid}`,
        query: updateMask,
        body: sparse(request),
        answer,
        summary: `Update the masked fields of ${article(noun)} ${noun}`,
      }),
    delete: () =>
      endpoint({
        ...at("delete"),
        method: "DELETE",
        path: `${base}/{uid}`,
        summary: `Delete ${article(noun)} ${noun}`,
      }),
  };
  const verbs = Object.keys(access) as Verb[];
  return {
    ...words,
    answer,
    request,
    settable,
    oneofs,
    behavior,
    filters,
    sortable,
    affects: definition.affects ?? [],
    ...Object.fromEntries(verbs.map((verb) => [verb, methods[verb]()])),
  } as unknown as Resource<Item, Read<S>, Read<F>, M, Read<E>>;
}

const present = (value: unknown, { at, members }: Oneof): string[] => {
  const holder = Object(at === "" ? value : Object(value)[at]) as Record<string, unknown>;
  return members.filter((member) => holder[member] !== undefined);
};

function oneofChecks(oneof: Oneof) {
  const { at, members, required } = oneof;
  const path = (member: string | undefined) => [...(at === "" ? [] : [at]), member ?? ""];
  // The rule applies only to an object that is present.
  const exists = (value: unknown) => at === "" || typeof Object(value)[at] === "object";
  const always = { when: () => true };
  const tooMany = members.slice(1).map((member) =>
    z.refine((value: unknown) => present(value, oneof).indexOf(member) <= 0, {
      error: `only one of ${members.join(", ")} can be set`,
      path: path(member),
      ...always,
    }),
  );
  const missing = z.refine((value: unknown) => !exists(value) || present(value, oneof).length > 0, {
    error: `one of ${members.join(", ")} is required`,
    path: path(members[0]),
    ...always,
  });
  return required ? [...tooMany, missing] : tooMany;
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? "an" : "a");

/** A reference to another record. */
export const reference = (sentence: string) => z.string(sentence).check(z.regex(UID_PATTERN, sentence));
