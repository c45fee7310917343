import { pathOf } from "~/contract/endpoint";

import type { RequestInfo } from "./request-info";
import { addressOf, parametersOf, queryText } from "./wire";

/** Stands for the token in every command: whoever runs it uses their own. */
export const TOKEN = '-H "Authorization: Bearer $TOKEN"';

/**
 * Quotes a text as one word for a POSIX shell: between single quotes only the closing quote is special, and a quote is
 * written outside of them.
 */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A request as a command. The parameters of a read are on separate lines, not yet encoded; those of a write are in its
 * URL, since `--get` would turn its body into parameters.
 */
export function curlOf(baseUrl: string, request: RequestInfo, fieldMaskCase?: "camel" | "snake"): string {
  const { endpoint, path = { uid: "" }, query = {}, body } = request;
  if (endpoint.method !== "GET") {
    const at = addressOf(baseUrl, endpoint, { ...path }, queryText(query, fieldMaskCase));
    const lines = [`curl -sS -X ${endpoint.method} ${shellWord(at)}`, TOKEN];
    if (body !== undefined)
      lines.push(
        '-H "Content-Type: application/json"',
        `--data-raw ${shellWord(JSON.stringify(body, undefined, 2))}`,
      );
    return lines.join(" \\\n  ");
  }
  const address = shellWord(baseUrl + pathOf(endpoint, { ...path }));
  const parameters = parametersOf(query).map(
    ([key, value]) => `--data-urlencode ${shellWord(`${key}=${value}`)}`,
  );
  const words = parameters.length > 0 ? `--get ${address}` : address;
  return [`curl -sS ${words}`, TOKEN, ...parameters].join(" \\\n  ");
}
