import type { Access } from "~/contract/endpoint";
import type { Facts } from "~/contract/resource";
import type { FieldViolation } from "~/contract/status";

import type { Caller } from "../access/caller";
import type { Config } from "../config";
import type { Database, Queries, Row } from "../store/database";
import type { Visibility } from "../store/list-parts";
import type { PageTokens } from "../store/page-tokens";
import type { SealedTexts } from "../store/sealed-texts";
import type { Table } from "../store/table";
import type { Fields } from "./values";

export interface Context {
  readonly config: Config;
  readonly database: Database;
  readonly tokens: PageTokens;
  readonly texts: SealedTexts;
}

/** A record that is about to be created or changed. */
export interface Draft {
  readonly queries: Queries;
  readonly caller: Caller;
  readonly uid: string;
  readonly parent: string;
  /** What it would be, not judged yet. */
  readonly fields: Fields;
  /** What it was, in its wire form; undefined when it is created. */
  readonly previous: Fields | undefined;
}

/** The same, judged by the contract and by the resource's own rules. */
export interface Change<I> extends Draft {
  readonly next: I;
}

export interface Removal {
  readonly queries: Queries;
  readonly caller: Caller;
  readonly uid: string;
  readonly previous: Fields;
}

/** What one resource adds to the five standard methods: the rules that the contract cannot say. */
export interface Rules<I> {
  readonly resource: Facts<unknown, I> & { readonly list: { readonly access: Access } };
  readonly table: Table;
  /** What of it may be there once under a parent. */
  readonly unique?: {
    /** Of the database. */
    readonly constraint: string;
    /** Its columns, beside `parent`. */
    readonly by: readonly string[];
    /** The field on which a second one is refused, and how. */
    readonly field: string;
    readonly sentence: string;
  };
  /** Rows at root level that a caller may see; none when left out. */
  readonly rootLevel?: (caller: Caller, groups: readonly string[]) => Visibility["rootLevel"];
  /** Who may read a record, where the path alone cannot decide it. Throws a Failure. */
  readonly beforeGet?: (context: Context, caller: Caller, uid: string) => Promise<void> | void;
  /** Findings beyond the contract's, reported together with them; the fields may be of any type here. */
  readonly violations?: (context: Context, draft: Draft) => Promise<FieldViolation[]> | FieldViolation[];
  /** Whether the caller may make this change, beyond what the path decides: nobody grants what they lack. Throws. */
  readonly beforeWrite?: (context: Context, change: Change<I>) => Promise<void>;
  readonly columns: (next: I, draft: Draft) => Row;
  /** What has to be written once the row is there. */
  readonly afterWrite?: (context: Context, change: Change<I>) => Promise<void>;
  /** Refuses, or removes what goes with the record. Throws a Failure. */
  readonly beforeDelete?: (context: Context, removal: Removal) => Promise<void>;
}
