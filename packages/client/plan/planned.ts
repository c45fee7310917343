import type { SnapshotFieldChange } from "../snapshots/fields";
import type { Collection } from "../snapshots/format";

/** The uid that a record will have once the step with this id has created it. */
export interface UidOfCreated {
  readonly ref: string;
}

export interface PlanStep {
  /** `create identities acme/runtime/ci`; unique in a plan. */
  readonly id: string;
  readonly how: "create" | "update" | "delete";
  readonly collection: Collection;
  /** By names, from the scope. */
  readonly path: string;
  /** Of a record that exists. */
  readonly uid?: string;
  /** Of one that is created: the uid of its group, "" for an organization. */
  readonly parent?: string | UidOfCreated;
  /** What differs; references stand for uids that are not known yet. */
  readonly fields: readonly SnapshotFieldChange[];
  /** What is sent, once references are replaced. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The fields that an update changes. */
  readonly mask?: readonly string[];
  /** Steps that have to be done before. */
  readonly needs: readonly string[];
}

/** A difference that a plan does nothing about. */
export interface LeftAlone {
  readonly collection: Collection;
  readonly path: string;
  readonly why: string;
}

export interface Planned {
  /** In the order in which they can be carried out. */
  readonly steps: readonly PlanStep[];
  readonly said: readonly LeftAlone[];
}
