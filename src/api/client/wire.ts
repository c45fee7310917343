import { snakeCase } from "~/contract/aip";
import { pathOf, type Endpoint } from "~/contract/endpoint";

/** A query parameter before it is converted to text. */
type Parameter = string | number | boolean | readonly (string | number)[] | undefined | null;

/** The parameters of a query as text: lists repeat the key, null and undefined values are omitted. */
export const parametersOf = (query: object): [key: string, value: string][] =>
  (Object.entries(query) as [string, Parameter][]).flatMap(([key, value]) =>
    (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]).map(
      (item): [string, string] => [key, String(item)],
    ),
  );

/**
 * The query string of a request in snake_case. `fieldMaskCase: "snake"` is for
 * gateways that pass mask paths through unconverted (AIP-134).
 */
export const queryText = (query: object, fieldMaskCase: "camel" | "snake" = "camel"): string =>
  new URLSearchParams(
    parametersOf(query).map(([key, text]) => [
      key,
      key === "updateMask" && fieldMaskCase === "snake" ? snakeCase(text) : text,
    ]),
  ).toString();

/** The URL of a call; `baseUrl` has no trailing slash, uids keep their slashes. */
export function addressOf(
  baseUrl: string,
  endpoint: Pick<Endpoint, "path">,
  path: Readonly<Record<string, string>>,
  query: string,
): string {
  return baseUrl + pathOf(endpoint, path) + (query && `?${query}`);
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
