import type { RequestInfo } from "platform-client/request-info";
import type { Endpoint } from "platform-contract/endpoint";
import type { ComponentType } from "react";

import { Store } from "~/store";

/** What a page does that shows a moment of the past: its code loads only then. */
export interface Past {
  /** RFC 3339, in UTC. */
  readonly moment: string;
  /** Another moment, with which lists and records are compared; in UTC, too. */
  readonly comparedWith: string | undefined;
  /** A request as of the moment. Throws an ApiError for a write. */
  ask<R extends Pick<RequestInfo, "endpoint" | "query">>(asked: R): R;
  /** Why something can't be done meanwhile; undefined if it can. */
  refusal(endpoint: Pick<Endpoint, "access">): string | undefined;
  /** The parameter of a list whose rows are compared with the other moment. */
  comparing(list: Pick<Endpoint, "query">): { readonly compare_time?: string };
  /** False for a record that a list has shown and that was not there at the moment, only at the other. */
  wasThere(uid: string): boolean;
  /** Takes what responses tell of differences, and reads what was not there at the moment as of the other. */
  through<I extends { readonly query?: unknown }, A>(
    endpoint: Endpoint,
    exchange: (input: I) => Promise<A>,
  ): (input: I) => Promise<A>;
  /** How a record that a list has shown differs between the two moments; undefined if it doesn't. */
  differenceOf(uid: string): RowDifference | undefined;
  /** Organizations of which lists could not tell what was there. */
  readonly unknownOrganizations: Pick<Store<readonly string[]>, "get" | "subscribe">;
  /** Says which moment it is, and leads back. */
  readonly Banner: ComponentType;
  /** What differs of one record, field by field. */
  readonly RecordDifference: ComponentType<RecordDifferenceProps>;
}

/** What happened to the record of a row between two moments, for people. */
export interface RowDifference {
  /** "Created" */
  readonly word: string;
  readonly tone: "success" | "danger" | "warning";
  /** A sentence. */
  readonly tip: string;
}

export interface RecordDifferenceProps {
  readonly get: Endpoint;
  readonly uid: string;
}

const past = new Store<Past | undefined>(() => undefined);

/** Undefined: the page shows now. It stays as it is until another page is loaded. */
export const thePast = (): Past | undefined => past.get();

/** Sets it, before the first call. */
export const enterPast = (next: Past | undefined): void => past.set(next);

/** The parameters of a read that is about now, whatever the page shows: what the user may do, they may do now. */
export const NOW: { readonly read_time?: undefined } = { read_time: undefined };
