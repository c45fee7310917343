import { pathOf } from "~/contract/endpoint";

import type { RequestInfo } from "./request-info";
import { addressOf, parametersOf, queryText } from "./wire";

/** What stands for the token in every command: whoever runs it has one of their own. */
export const TOKEN = '-H "Authorization: Bearer $TOKEN"';

/**
 * One word for a POSIX shell, whatever is in it: between single quotes nothing is special but their end, and a quote
 * stands outside of them.
 */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * A request as a command. The parameters of a read are on lines of their own, as they were meant and not as they are encoded;
 * those of a write stand in its address, since `--get` would make parameters of its body.
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
