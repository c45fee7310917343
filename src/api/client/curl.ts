import { pathOf } from "~/contract/endpoint";

import type { RequestInfo } from "./request-info";
import { parametersOf } from "./wire";

/** What stands for the token in every command: whoever runs it has one of their own. */
export const TOKEN = '-H "Authorization: Bearer $TOKEN"';

/**
 * One word for a POSIX shell, whatever is in it: between single quotes nothing is special but their end, and a quote
 * stands outside of them.
 */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a command; every parameter on a line of its own, as it was meant and not as it is encoded. */
export function curlOf(baseUrl: string, { endpoint, path = { uid: "" }, query = {} }: RequestInfo): string {
  const address = shellWord(baseUrl + pathOf(endpoint, { ...path }));
  const parameters = parametersOf(query).map(
    ([key, value]) => `--data-urlencode ${shellWord(`${key}=${value}`)}`,
  );
  const words = parameters.length > 0 ? `--get ${address}` : address;
  return [`curl -sS ${words}`, TOKEN, ...parameters].join(" \\\n  ");
}
