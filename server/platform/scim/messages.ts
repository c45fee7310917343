import type { Arrival } from "../store/database";
import type { ScimFields } from "./values";

export interface ScimRequest {
  readonly method: string;
  /** Uid of the identity provider. */
  readonly provider: string;
  /** Below the provider's address, not percent-decoded: `/Users/<id>`. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly body: ScimFields;
  readonly token: string;
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
  readonly arrival: Arrival;
}

/** Runs what uses the database when it is the caller's turn. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export interface ScimAnswer {
  readonly status: number;
  readonly body?: ScimFields;
  /** True if the body never changes, so that it is written and packed once. */
  readonly constant?: true;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Resources of a page, at most and by default. */
export const COUNT = { most: 200, usual: 100 };

const LIST_RESPONSE = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** A page of resources (RFC 7644, section 3.4.2). */
export const listResponse = (
  resources: readonly ScimFields[],
  total: number,
  startIndex: number,
): ScimFields => ({
  schemas: [LIST_RESPONSE],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
