import { ancestorsOf, depthOf } from "platform-contract/aip";
import { kindOf } from "platform-contract/kinds";
import type { Kind } from "platform-contract/kind";

import { ask, askAll } from "./ask-lists";
import { placed } from "./found";
import { byReference } from "./locate-reference";
import { HIDDEN, NOTHING, type LocateContext, type Located } from "./located";
import type { Pasted } from "./pasted";
import { hasNames } from "./unnamed";

/** True for kinds whose records can have a uid of this depth. */
const fits = (uid: string) => (kind: Kind) => kind.parent === "groups" || depthOf(uid) > 2;

async function byUid(uid: string, { client, kinds, signal }: LocateContext): Promise<Located> {
  const { answers, notes } = await askAll(kinds.filter(fits(uid)), { "uidp.ids": [uid] }, signal);
  const found = await placed(answers, client);
  if (found.length > 0) return { ...NOTHING, found, notes };
  const groups = kindOf("groups");
  const above = ancestorsOf(uid);
  const around =
    groups && above.length > 0 ? await ask(groups, { "uidp.ids": above }, signal, above.length) : undefined;
  const nearest = around && {
    ...around,
    rows: around.rows.toSorted((a, b) => depthOf(b.uid) - depthOf(a.uid)).slice(0, 1),
  };
  return {
    ...NOTHING,
    found: nearest ? await placed([nearest], client) : [],
    notes: [
      ...notes,
      nearest && nearest.rows.length > 0
        ? `No record has this uid, ${HIDDEN}. Nearest group:`
        : `No record has this uid, ${HIDDEN}.`,
    ],
  };
}

async function byName(name: string, { client, kinds, signal }: LocateContext): Promise<Located> {
  const { answers, notes } = await askAll(kinds.filter(hasNames), { name }, signal);
  return {
    found: await placed(answers, client),
    more: answers.flatMap(({ kind, count = 0, rows }) =>
      count > rows.length ? [{ kind, count, search: { name } }] : [],
    ),
    notes,
  };
}

async function byDigest(digest: string, { client, kinds, signal }: LocateContext): Promise<Located> {
  const tags = kinds.find(({ collection }) => collection === "tags");
  if (!tags) return { ...NOTHING, notes: ["You need permission to list tags to search by digest."] };
  const answer = await ask(tags, { digest }, signal);
  const { rows, count = rows.length } = answer;
  return {
    found: await placed([answer], client),
    more: count > rows.length ? [{ kind: tags, count, search: { digest } }] : [],
    notes: rows.length > 0 ? [] : [`No tag has this digest, ${HIDDEN}.`],
  };
}

async function byAdvisory(id: string, { client, kinds, signal }: LocateContext): Promise<Located> {
  const advisories = kinds.filter(({ collection }) => collection === "advisories");
  const answers = await Promise.all(
    advisories.flatMap((kind) =>
      [{ aliases: [id] }, { advisoryIds: [id] }].map((query) => ask(kind, query, signal)),
    ),
  );
  const [kind] = advisories;
  // An advisory can list its own id among its aliases; it is one record all the same.
  const found = [...new Map((await placed(answers, client)).map((each) => [each.uid, each])).values()];
  const rest = answers.reduce((sum, { rows, count = rows.length }) => sum + count - rows.length, 0);
  return {
    found,
    more: kind && rest > 0 ? [{ kind, count: found.length + rest, search: { id } }] : [],
    notes: found.length > 0 || !kind ? [] : ["No visible advisory mentions this id."],
  };
}

/**
 * Finds the records that a text can refer to, with one request per kind, in parallel. Throws the ApiError if they all
 * fail.
 */
export async function locate(pasted: Pasted, context: LocateContext): Promise<Located> {
  switch (pasted.is) {
    case "uid":
      return byUid(pasted.uid, context);
    case "uid part": {
      const says = "This is only part of a uid. Enter the whole uid.";
      const { found } = pasted.above === undefined ? NOTHING : await byUid(pasted.above, context);
      return { ...NOTHING, found, notes: [found.length > 0 ? `${says} It starts with the uid of:` : says] };
    }
    case "digest":
      return byDigest(pasted.digest, context);
    case "reference":
      return byReference(pasted.reference, context);
    case "error": {
      const { meaning, reference } = pasted.error;
      const about = reference ? await byReference(reference, context) : NOTHING;
      return { ...about, notes: [meaning, ...about.notes] };
    }
    case "vulnerability":
      return byAdvisory(pasted.id, context);
    case "name":
      return byName(pasted.name, context);
    case "digest part":
      return { ...NOTHING, notes: ["Enter a whole digest: sha256: followed by 64 hex digits."] };
    case "vulnerability part":
      return {
        ...NOTHING,
        notes: ["Enter a whole id: CVE-2026-12345 or GHSA-2345-cfgh-jmpq."],
      };
    case "token":
      return { ...NOTHING, notes: ["This is a token. It wasn't sent or stored."] };
    case "too long":
      return { ...NOTHING, notes: ["This is too long for a name, uid, or reference."] };
    default:
      return NOTHING;
  }
}
