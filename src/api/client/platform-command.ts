import type { RequestInfo } from "platform-client/request-info";
import { KINDS, separated } from "platform-contract/kinds";
import type { Kind } from "platform-contract/kind";

import { shellWord } from "./curl";

const PLAIN = /^[\w./,:@*-]+$/;
/** One word for a shell, in quotes only if it needs them. */
const word = (text: string): string => (PLAIN.test(text) ? text : shellWord(text));

/** Parameters of a list as options; undefined if the command has none for one of them. */
function optionsOf(query: object): string[] | undefined {
  const found = Object.entries(query).map(([name, value]: [string, unknown]) => {
    if (value === undefined || value === null) return [];
    if (name === "skip" || name === "page_token") return undefined;
    if (name === "page_size") return [`--limit ${Number(value)}`];
    if (typeof value === "boolean") return value ? [`--${name}`] : undefined;
    return [value].flat().map((one) => `--${name}=${word(String(one))}`);
  });
  return found.every((options) => options !== undefined) ? found.flat() : undefined;
}

/** The same request with `platform` (docs/tasks.md); undefined if that cannot make it. */
export function platformOf({
  endpoint,
  path,
  query = {},
  body,
  justification,
}: RequestInfo): string | undefined {
  const [collection = "", verb = ""] = endpoint.id?.split(".") ?? [];
  const kind: Kind | undefined = Object.hasOwn(KINDS, collection)
    ? KINDS[collection as keyof typeof KINDS]
    : undefined;
  if (!kind || !Object.hasOwn(kind.access, verb)) return undefined;
  const { uid, parent } = path ?? {};
  const { updateMask, ...rest }: { updateMask?: string } = query;
  const options = optionsOf(rest);
  if (!options || (verb !== "list" && options.length > 0)) return undefined;
  const begin = [
    "platform",
    verb,
    separated(collection, "-"),
    ...(uid === undefined ? [] : [word(uid)]),
  ].join(" ");
  const line = [
    begin,
    ...(parent ? [`--parent ${word(parent)}`] : []),
    ...options,
    ...(updateMask === undefined ? [] : [`--mask ${word(updateMask)}`]),
    ...(justification === undefined ? [] : [`--reason ${shellWord(justification)}`]),
    ...(body === undefined ? [] : ["-f - <<'JSON'"]),
  ].join(" \\\n  ");
  // No line of JSON is this word alone.
  return body === undefined ? line : `${line}\n${JSON.stringify(body, undefined, 2)}\nJSON`;
}
