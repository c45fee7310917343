import { snakeCase } from "~/contract/aip";
import { pathOf, type Endpoint } from "~/contract/endpoint";

/** Whatever a query parameter may be before it is text. */
type Parameter = string | number | boolean | readonly (string | number)[] | undefined | null;

/** The parameters of a query as text: repeatable keys repeat, what is undefined is left out. */
export const parametersOf = (query: object): [key: string, value: string][] =>
  (Object.entries(query) as [string, Parameter][]).flatMap(([key, value]) =>
    (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]).map(
      (item): [string, string] => [key, String(item)],
    ),
  );

/**
 * The query of a request in the specification's spelling (contract 0.4). `fieldMaskCase: "snake"` is for gateways that
 * pass mask paths through unconverted (contract 0.8).
 */
export const queryText = (query: object, fieldMaskCase: "camel" | "snake" = "camel"): string =>
  new URLSearchParams(
    parametersOf(query).map(([key, text]) => [
      key,
      key === "updateMask" && fieldMaskCase === "snake" ? snakeCase(text) : text,
    ]),
  ).toString();

/** The address of a call; `baseUrl` has no trailing slash, uids keep their slashes. */
export function addressOf(
  baseUrl: string,
  endpoint: Pick<Endpoint, "path">,
  path: Readonly<Record<string, string>>,
  query: string,
): string {
  return baseUrl + pathOf(endpoint, path) + (query && `?${query}`);
}

/**
 * JSON null stands for an absent field (contract 0.2): gone from objects and lists alike, at any depth, of which
 * somebody else's JSON may have more than the stack. Changes `json`, which nobody else has.
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

/** Whether a uid names a place below its collection: an address with dots for a step leads elsewhere (RFC 3986, 5.2.4). */
export const staysBelow = (uid: string): boolean =>
  !uid.split("/").some((step) => step === "." || step === "..");
