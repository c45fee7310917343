import { snakeCase } from "~/contract/aip";
import { pathOf } from "~/contract/endpoint";

import type { RequestInfo } from "./request-info";

/** A query parameter before it is converted to text. */
type Parameter = string | number | boolean | readonly (string | number)[] | undefined | null;

interface Service {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** "snake" is for gateways that pass mask paths through unconverted (AIP-134). */
  readonly fieldMaskCase?: "camel" | "snake" | undefined;
}

/** A request as it is sent, and shown to run elsewhere; whoever sends it adds a token. */
export interface WireRequest {
  readonly method: string;
  /** Without the query; uids keep their slashes. */
  readonly address: string;
  /** The whole URL. */
  readonly url: string;
  /** Lists repeat the key; null and undefined values are omitted. */
  readonly parameters: readonly (readonly [key: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Builds the request of a call. */
export function requestOf({ baseUrl, fieldMaskCase }: Service, request: RequestInfo): WireRequest {
  const { endpoint, path = {}, query = {}, body } = request;
  const address = baseUrl + pathOf(endpoint, path);
  const parameters = (Object.entries(query) as [string, Parameter][]).flatMap(([key, value]) =>
    [value ?? []].flat().map((item) => {
      const text = String(item);
      return [key, key === "updateMask" && fieldMaskCase === "snake" ? snakeCase(text) : text] as [
        string,
        string,
      ];
    }),
  );
  const search = new URLSearchParams(parameters).toString();
  return {
    method: endpoint.method,
    address,
    url: address + (search && `?${search}`),
    parameters,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body,
  };
}

/**
 * JSON null means an absent field: removes nulls from objects and lists at any depth. Iterative, since
 * foreign JSON can be nested deeper than the stack allows. Modifies `json`, which the caller must own.
 */
export function withoutNulls(json: unknown): unknown {
  const left = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value)) {
      const kept: unknown[] = value.filter((item) => item !== null);
      for (const [index, item] of kept.entries()) value[index] = item;
      value.length = kept.length;
    } else {
      for (const [key, item] of Object.entries(value)) if (item === null) Reflect.deleteProperty(value, key);
    }
    for (const item of Object.values(value)) left.push(item);
  }
  return json;
}

/** True if a uid stays below its collection: dot segments in a URL resolve elsewhere (RFC 3986, 5.2.4). */
export const staysBelow = (uid: string): boolean =>
  !uid.split("/").some((step) => step === "." || step === "..");
