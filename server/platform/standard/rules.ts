import type { Access } from "platform-contract/endpoint";
import type { Facts } from "platform-contract/resource";
import type { FieldViolation } from "platform-contract/status";

import type { Caller } from "../access/caller";
import type { Config } from "../../config";
import type { Post } from "../mail/post";
import type { RegistryClient } from "../registry/client";
import type { Arrival, Database, Queries, Row } from "../store/database";
import type { SealedTexts } from "../store/keys/sealed-texts";
import type { Visibility } from "../store/lists/list-parts";
import type { PageTokens } from "../store/lists/page-tokens";
import type { RecordTable } from "../store/table";
import type { Call } from "./call";
import type { Fields } from "./values";

export interface Context {
  readonly config: Config;
  readonly database: Database;
  readonly tokens: PageTokens;
  readonly texts: SealedTexts;
  /** Undefined if the service sends no mail. */
  readonly mail: Post | undefined;
  /** Undefined if no registry is connected. */
  readonly registry?: RegistryClient | undefined;
  /** Call when an operation has made deliveries of a subscription due. */
  readonly wake: (subscription: string) => void;
  /** Call when a retention rule was confirmed; missing if this process runs none. */
  readonly wakeRetention?: (() => void) | undefined;
}

/** A record to be created or changed. */
export interface Draft {
  readonly queries: Queries;
  readonly caller: Caller;
  readonly uid: string;
  readonly parent: string;
  /** The new values, not validated yet. */
  readonly fields: Fields;
  /** The old values in wire form; undefined for a new record. */
  readonly previous: Fields | undefined;
  /** How the request arrived; missing in tests that call handlers. */
  readonly arrival?: Arrival | undefined;
}

/** A draft that satisfies the contract and the resource's own rules. */
export interface Change<I> extends Draft {
  readonly next: I;
}

export interface Removal {
  readonly queries: Queries;
  readonly caller: Caller;
  readonly uid: string;
  readonly previous: Fields;
}

/** A resource's additions to the five standard methods: rules that the contract cannot express. */
export interface Rules<I> {
  readonly resource: Facts<unknown, I> & { readonly list: { readonly access: Access } };
  readonly table: RecordTable<I>;
  /** Replaces the table for reads as of a time. */
  readonly tableAt?: RecordTable<I>;
  /** What must be unique under a parent. */
  readonly unique?: {
    /** Name of the database constraint. */
    readonly constraint: string;
    /** Its columns, apart from `parent`. */
    readonly by: readonly string[];
    /** The field of the error, and its message. */
    readonly field: string;
    readonly sentence: string;
  };
  /** Rows at root level that a caller can see; none if omitted. */
  readonly rootLevel?: (caller: Caller, groups: readonly string[], query: Row) => Visibility["rootLevel"];
  /** The same as of a time, if it differs: `rowsOf` are the rows of a table as they were. */
  readonly rootLevelAt?: (
    groups: readonly string[],
    rowsOf: (table: string) => string,
  ) => Visibility["rootLevel"];
  /** Uids of groups or records that a list also shows to a caller without the capability, if it asks for these only. */
  readonly own?: (caller: Caller, query: Row) => readonly string[];
  /** The uid of a new record, if the request has one reserved. Throws a Failure. */
  readonly reserved?: (context: Context, queries: Queries, call: Call) => Promise<string | undefined>;
  /** Decides who can read a record if the path alone cannot. Throws a Failure. */
  readonly beforeGet?: (context: Context, caller: Caller, uid: string) => Promise<void> | void;
  /** Violations beyond the contract's, reported together with them; fields can have any type here. */
  readonly violations?: (context: Context, draft: Draft) => Promise<FieldViolation[]> | FieldViolation[];
  /** Authorizes the change beyond what the path decides: callers cannot grant what they lack. Throws a Failure. */
  readonly beforeWrite?: (context: Context, change: Change<I>) => Promise<void>;
  /** Writes that need the row to exist. */
  readonly afterWrite?: (context: Context, change: Change<I>) => Promise<void>;
  /** Throws a Failure to refuse, or removes what goes with the record. */
  readonly beforeDelete?: (context: Context, removal: Removal) => Promise<void>;
}
