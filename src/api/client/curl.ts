import type { RequestInfo } from "platform-client/request-info";
import { requestOf } from "platform-client/wire";

import { thePast } from "./moment";

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
export function curlOf(baseUrl: string, shown: RequestInfo, fieldMaskCase?: "camel" | "snake"): string {
  const { method, address, url, parameters, headers, body } = requestOf(
    { baseUrl, fieldMaskCase },
    shown.endpoint.method === "GET" ? (thePast()?.ask(shown) ?? shown) : shown,
  );
  const isRead = method === "GET";
  const what = !isRead
    ? `-X ${method} ${shellWord(url)}`
    : parameters.length > 0
      ? `--get ${shellWord(address)}`
      : shellWord(address);
  return [
    `curl -sS ${what}`,
    TOKEN,
    ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(isRead ? parameters.map(([key, value]) => `--data-urlencode ${shellWord(`${key}=${value}`)}`) : []),
    ...(body === undefined ? [] : [`--data-raw ${shellWord(JSON.stringify(body, undefined, 2))}`]),
  ].join(" \\\n  ");
}
