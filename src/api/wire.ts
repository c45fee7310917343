import { snakeCase } from "~/contract/aip";
import { pathOf, type Endpoint } from "~/contract/endpoint";
import type { ListAnswer } from "~/contract/resource";

/** Whatever a query parameter may be before it is text. */
type Parameter = string | number | boolean | readonly (string | number)[] | undefined | null;

/**
 * The query of a request in the specification's spelling (contract 0.4): repeatable keys repeat, what is undefined is
 * left out. `fieldMaskCase: "snake"` is for gateways that pass mask paths through unconverted (contract 0.8).
 */
export function queryText(query: object, fieldMaskCase: "camel" | "snake" = "camel"): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query) as [string, Parameter][]) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      const text = String(item);
      parameters.append(key, key === "updateMask" && fieldMaskCase === "snake" ? snakeCase(text) : text);
    }
  }
  return parameters.toString();
}

/** The address of a call; `baseUrl` has no trailing slash, uids keep their slashes. */
export function addressOf(
  baseUrl: string,
  endpoint: Pick<Endpoint, "path">,
  path: Readonly<Record<string, string>>,
  query: string,
): string {
  return baseUrl + pathOf(endpoint, path) + (query && `?${query}`);
}

/** JSON null stands for an absent field (contract 0.2): gone from objects and lists alike, at any depth. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(withoutNulls);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === null ? [] : [[key, withoutNulls(item)]])),
  );
}

interface Envelope {
  readonly nextPageToken?: string;
  readonly totalCount?: string | number;
  readonly skipped?: number;
  readonly [plural: string]: unknown;
}

/** A list envelope with its rows under `items`, whatever the plural (design rule 3). */
export function asListAnswer(
  { collection }: Pick<Endpoint, "collection">,
  value: unknown,
): ListAnswer<unknown> {
  const { nextPageToken, totalCount, skipped, [collection]: rows } = value as Envelope;
  return {
    items: Array.isArray(rows) ? rows : [],
    ...(nextPageToken && { nextPageToken }),
    ...(totalCount !== undefined && { totalCount: String(totalCount) }),
    ...(skipped !== undefined && { skipped }),
  };
}
