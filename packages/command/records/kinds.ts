import { resources } from "platform-contract";
import { isUid } from "platform-contract/aip";
import type { Endpoint } from "platform-contract/endpoint";
import { separated } from "platform-contract/kinds";
import type { Facts, ListAnswer, ListQuery } from "platform-contract/resource";

import { UsageError } from "../cli/errors";

/** A record as any kind has it. */
export interface AnyRecord extends Readonly<Record<string, unknown>> {
  readonly uid: string;
}

/** A kind, with the operations that it has. */
export interface AnyKind extends Facts<unknown, unknown> {
  readonly list: Endpoint<ListQuery, undefined, ListAnswer<AnyRecord>>;
  readonly get?: Endpoint<object, undefined, AnyRecord>;
  readonly create?: Endpoint<object, unknown, AnyRecord>;
  readonly update?: Endpoint<object, unknown, AnyRecord>;
  readonly delete?: Endpoint<object, undefined, undefined>;
}

export const KINDS = resources as readonly unknown[] as readonly AnyKind[];

/** How a kind is written first: `role-bindings`. */
export const nameOf = ({ collection }: Pick<AnyKind, "collection">): string => separated(collection, "-");

const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_ ]/g, "");

/** Every name of a kind: `role-bindings`, `roleBindings`, `RoleBinding`, `role-binding`. */
const namesOf = ({ collection, type, noun, plural }: AnyKind): ReadonlySet<string> =>
  new Set([collection, type, noun, plural].map(plain));

/** The kind of a name, in any spelling, singular or plural. Throws a UsageError. */
export function kindNamed(name: string): AnyKind {
  const kind = KINDS.find((one) => namesOf(one).has(plain(name)));
  if (kind) return kind;
  throw new UsageError(`There is no kind ${JSON.stringify(name)}. Kinds: ${KINDS.map(nameOf).join(", ")}.`);
}

/** Throws a UsageError for what is no uid, and says how to find that of a kind's record. */
export function checkUid(text: string, kind?: AnyKind): void {
  if (isUid(text)) return;
  const find =
    kind?.list.query && Object.hasOwn(kind.list.query, "name") && text !== "" ? ` --name=${text}` : "";
  throw new UsageError(
    `${JSON.stringify(text)} is no uid.${kind ? ` To find one: platform list ${nameOf(kind)}${find}` : ""}`,
  );
}

/** An operation of a kind. Throws a UsageError where the kind lacks it. */
export function operation<V extends "get" | "create" | "update" | "delete">(
  kind: AnyKind,
  verb: V,
): NonNullable<AnyKind[V]> {
  const endpoint = kind[verb];
  if (endpoint) return endpoint as NonNullable<AnyKind[V]>;
  const instead = kind.replaces && verb === "update" ? "; create it again with the new values" : "";
  throw new UsageError(`The API can't ${verb} ${kind.plural}${instead}.`);
}
