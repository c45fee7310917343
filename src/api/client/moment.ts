import type { RequestInfo } from "platform-client/request-info";
import type { Endpoint } from "platform-contract/endpoint";
import type { ComponentType } from "react";

import { Store } from "~/store";

/** What a page does that shows a moment of the past: its code loads only then. */
export interface Past {
  /** RFC 3339, in UTC. */
  readonly moment: string;
  /** A request as of the moment. Throws an ApiError for a write. */
  ask<R extends Pick<RequestInfo, "endpoint" | "query">>(asked: R): R;
  /** Why something can't be done meanwhile; undefined if it can. */
  refusal(endpoint: Pick<Endpoint, "access">): string | undefined;
  /** Says which moment it is, and leads back. */
  readonly Banner: ComponentType;
}

const past = new Store<Past | undefined>(() => undefined);

/** Undefined: the page shows now. It stays as it is until another page is loaded. */
export const thePast = (): Past | undefined => past.get();

/** Sets it, before the first call. */
export const enterPast = (next: Past | undefined): void => past.set(next);

/** The parameters of a read that is about now, whatever the page shows: what the user may do, they may do now. */
export const NOW: { readonly read_time?: undefined } = { read_time: undefined };
