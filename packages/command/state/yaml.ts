import { Document, isMap, isScalar, isSeq, parseDocument, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { isObject } from "platform-contract/values";

import { UsageError } from "../cli/errors";

const OUT = { lineWidth: 0 } as const;

/** What an entry of a list is found by again: its uid, or its name if it was made anew. */
const keysOf = (value: unknown): string[] => {
  if (!isObject(value)) return [`value:${String(value)}`];
  const { uid, name } = value;
  return [...(typeof uid === "string" ? [uid] : []), ...(typeof name === "string" ? [`name:${name}`] : [])];
};

/** A comment before the first entry belongs to the collection when it is read; moved along, it belongs to the entry. */
function ownFirstComment(node: YAMLMap | YAMLSeq): void {
  const first: unknown = node.items[0];
  const target = isMap(node) ? (first as Pair | undefined)?.key : first;
  if (!node.commentBefore || typeof target !== "object" || target === null) return;
  const place = target as { commentBefore?: string };
  place.commentBefore = [node.commentBefore, place.commentBefore].filter(Boolean).join("\n");
  node.commentBefore = null;
}

/** True unless a node is that of another entry, which is still there. */
const isFree = (node: unknown, value: unknown, uids: ReadonlySet<string | undefined>): boolean => {
  const uid: unknown = isMap(node) ? node.get("uid") : undefined;
  return typeof uid !== "string" || uid === keysOf(value)[0] || !uids.has(uid);
};

/** The node of a value: what was there, with its comments, as far as it can stay. */
function merged(doc: Document, old: unknown, value: unknown, isEntry = false): unknown {
  const fresh = () => doc.createNode(value, { aliasDuplicateObjects: false });
  if (isObject(value) && isMap(old)) {
    // That of an entry of a list is before its dash.
    if (!isEntry) ownFirstComment(old);
    const pairs = new Map(old.items.map((pair) => [isScalar(pair.key) ? String(pair.key.value) : "", pair]));
    old.items = Object.entries(value).map(([key, inner]) => {
      const pair = pairs.get(key);
      if (!pair) return doc.createPair(key, inner);
      pair.value = merged(doc, pair.value, inner);
      return pair;
    });
    return old;
  }
  if (Array.isArray(value) && isSeq(old)) {
    ownFirstComment(old);
    const named = new Map<string, unknown>();
    for (const item of old.items) {
      const json: unknown = isMap(item) ? { uid: item.get("uid"), name: item.get("name") } : item;
      for (const key of keysOf(isScalar(item) ? item.value : json)) if (!named.has(key)) named.set(key, item);
    }
    const uids = new Set(value.map((inner: unknown) => keysOf(inner)[0]));
    const used = new Set<unknown>();
    old.items = value.map((inner: unknown) => {
      const item = keysOf(inner)
        .map((key) => named.get(key))
        .find((one) => one !== undefined && !used.has(one) && isFree(one, inner, uids));
      used.add(item);
      return item === undefined
        ? doc.createNode(inner, { aliasDuplicateObjects: false })
        : merged(doc, item, inner, true);
    });
    return old;
  }
  if (isScalar(old) && !isObject(value) && !Array.isArray(value)) {
    if (old.value !== value) {
      old.value = value;
      delete old.source;
      delete old.type;
    }
    return old;
  }
  return fresh();
}

/** A value as YAML; comments of the text that it replaces stay at the entries that they are at. */
export function yamlText(value: unknown, before?: string): string {
  if (before === undefined) return new Document(value, { aliasDuplicateObjects: false }).toString(OUT);
  const doc = parseDocument(before);
  if (doc.errors.length > 0 || !isMap(doc.contents))
    return new Document(value, { aliasDuplicateObjects: false }).toString(OUT);
  doc.contents = merged(doc as unknown as Document, doc.contents, value) as typeof doc.contents;
  return doc.toString(OUT);
}

/** The value of a text in YAML, of which JSON is a part. Throws a UsageError. */
export function yamlValue(text: string, file: string): unknown {
  const doc = parseDocument(text);
  const [error] = doc.errors;
  if (error) throw new UsageError(`${file} is neither JSON nor YAML: ${error.message}`);
  try {
    return doc.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new UsageError(`${file} can't be read: ${(cause as Error).message}`);
  }
}
