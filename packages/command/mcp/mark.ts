import { resources } from "platform-contract";
import { UID_PATTERN } from "platform-contract/aip";
import { unanswered } from "platform-contract/behavior";
import { FIELDS } from "platform-contract/descriptions";
import type { Schema } from "platform-contract/endpoint";
import { explainAccess } from "platform-contract/iam/access-decisions";
import { capabilities } from "platform-contract/iam/capabilities";
import { getReadme } from "platform-contract/registry/repos";
import { definitionOf, required, shapeOf, strictOf } from "platform-contract/schema";
import { parseUrl } from "platform-contract/url";
import { isObject } from "platform-contract/values";

/** What texts that people wrote are in. */
export const MARK = "untrusted_text";
/** What fields that people named are in. */
export const ENTRIES = "untrusted_entries";

/** Names of fields, and values of enums, that the contract has: nobody else's text. */
const fields = new Set(Object.keys(FIELDS));
const words = new Set(capabilities.map(({ wire }) => wire));

function learn(schema: Schema | undefined): void {
  if (!schema) return;
  for (const form of new Set([required(schema), strictOf(required(schema))])) {
    const { element, valueType, entries } = definitionOf(form);
    for (const word of Object.keys(entries ?? {})) words.add(word);
    [element, valueType].forEach(learn);
    for (const [name, field] of Object.entries(shapeOf(form) ?? {})) {
      fields.add(name);
      learn(field);
    }
  }
}
for (const { answer, settable } of resources) {
  learn(answer);
  Object.values(settable as Readonly<Record<string, Schema>>).forEach(learn);
}
[explainAccess.answer, getReadme.answer].forEach(learn);
for (const name of [
  "steps",
  "said",
  "how",
  "collection",
  "path",
  "why",
  "id",
  "needs",
  "before",
  "after",
  "ref",
])
  fields.add(name);
for (const word of ["create", "update", "delete", ...resources.map(({ collection }) => collection)])
  words.add(word);

/** What no answer has: fields that the API does not answer either, and the names under which secrets are kept. */
const SECRET = new Set([
  ...resources.flatMap(({ behavior }) => unanswered(behavior).map((path) => path.split(".").at(-1))),
  "token",
]);
const LIKE_A_SECRET = /secret|token|passw|credential|api[-_]?key|private[-_]?key/i;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const isOurs = (text: string): boolean =>
  text === "" ||
  words.has(text) ||
  UID_PATTERN.test(text) ||
  TIME.test(text) ||
  /^(?:\d{1,20}|sha256:[0-9a-f]{64})$/.test(text);

/** An address without what can be a secret of its receiver. */
const originOf = (address: string): string => {
  const url = parseUrl(address);
  return url ? `${url.origin}/…` : "…";
};

function marked(value: unknown, longest: number): unknown {
  if (typeof value === "string") {
    if (isOurs(value)) return value;
    const cut = value.length - longest;
    return cut > 0 ? { [MARK]: value.slice(0, longest), left_out_characters: cut } : { [MARK]: value };
  }
  if (Array.isArray(value)) return value.map((one) => marked(one, longest));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !SECRET.has(key));
  const known = kept.filter(([key]) => fields.has(key));
  const others = kept.filter(([key]) => !fields.has(key));
  return {
    ...Object.fromEntries(
      known.map(([key, one]) => [key, marked(key === "sink" ? originOf(String(one)) : one, longest)]),
    ),
    ...(others.length > 0 && {
      [ENTRIES]: others.map(([key, one]) => ({
        key: { [MARK]: key.slice(0, longest) },
        value: LIKE_A_SECRET.test(key) ? "left out: it may be a secret" : marked(one, longest),
      })),
    }),
  };
}

/**
 * An answer of the API for a language model: each text that is not certainly the service's own (a uid, a time, a number, a
 * digest, a word of the contract) is in `untrusted_text`, each field that people named in `untrusted_entries`. Longer texts are
 * cut. Secrets, and paths of event sinks, are left out.
 */
export const mark = (value: unknown, longest: number): unknown => marked(value, longest);
