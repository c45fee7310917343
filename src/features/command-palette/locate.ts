import type { QueryClient } from "@tanstack/react-query";

import { call } from "~/api/client/client";
import { totalOf } from "~/api/client/wire";
import { ancestorsOf, depthOf, parentOf, rootOf } from "~/contract/aip";
import { kindOf } from "~/contract/kinds";
import type { Kind } from "~/contract/kind";
import { ALL_KINDS } from "~/contract/registry/tags";
import { countedList, type ListQuery } from "~/contract/resource";

import { repoPath } from "../registry/pull-reference";
import { groupQuery } from "../scope/group-ancestry";
import { placeText } from "../scope/ancestors";
import { readRepoNames } from "../registry/read-repo-names";
import { readAncestorNames } from "../scope/read-ancestor-names";
import type { Pasted } from "./pasted";
import { sameHost, type PullReference } from "../registry/reference-text";
import { hasNames } from "./unnamed";

/** A row of any list; not every kind has all of the optional fields. */
export interface Row {
  readonly uid: string;
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly componentName?: string | undefined;
}

/** A record that was found. */
export interface Found {
  readonly collection: string;
  readonly uid: string;
  /** "" if it has none. */
  readonly name: string;
  /** The names of the groups above it: "Meridian Freight / platform". */
  readonly place: string;
}

/** The result of locating a text. */
export interface Located {
  readonly found: readonly Found[];
  /** Kinds with more matches than shown, with the search parameters of their list. */
  readonly more: readonly { readonly kind: Kind; readonly count: number; readonly search: object }[];
  /** Shown above the results, or instead of them. */
  readonly notes: readonly string[];
}

interface Surroundings {
  readonly client: QueryClient;
  /** The kinds that the user can list. */
  readonly kinds: readonly Kind[];
  readonly registryHost: string | undefined;
  readonly signal: AbortSignal;
}

/** Maximum number of rows shown per kind. */
const SHOWN = 5;
/** Maximum number of same-named repos to compare a reference with. */
const REPOS = 200;

const NOTHING: Located = { found: [], more: [], notes: [] };
export const HIDDEN = "or you don't have access to it";

interface Answer {
  readonly kind: Kind;
  readonly rows: readonly Row[];
  readonly count: number | undefined;
}

async function ask(kind: Kind, query: object, signal: AbortSignal, size = SHOWN): Promise<Answer> {
  // A list by uid leaves out some kinds of tags unless asked for them; one by name or digest does not.
  const all = kind.collection === "tags" && "uidp.ids" in query ? ALL_KINDS : {};
  const page = await call(countedList(kind), {
    query: { ...query, ...all, page_size: size } as ListQuery,
    signal,
  });
  const count = totalOf(page);
  return { kind, rows: page.items, count: count === undefined ? undefined : Number(count) };
}

/** Sends the same query for many kinds in parallel. Names the kinds that fail; throws if all of them do. */
async function askAll(kinds: readonly Kind[], query: object, signal: AbortSignal) {
  const settled = await Promise.allSettled(kinds.map((kind) => ask(kind, query, signal)));
  const answers = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const failed = settled.flatMap((each, index) =>
    each.status === "rejected"
      ? [{ plural: kinds[index]?.plural ?? "", reason: each.reason as unknown }]
      : [],
  );
  if (answers.length === 0 && failed[0]) throw failed[0].reason;
  const notes =
    failed.length === 0 ? [] : [`Couldn't be searched: ${failed.map(({ plural }) => plural).join(", ")}.`];
  return { answers, notes };
}

/** The names of the repos of these tags; empty if they can't be read. */
export async function reposOf(tags: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (tags.length === 0) return new Map();
  return readRepoNames(new Set(tags.map(parentOf))).then(
    ({ names }) => names,
    () => new Map(),
  );
}

/** The name of a tag with that of its repo, as in a reference. */
export const inRepo = ({ uid, name }: Row, repos: ReadonlyMap<string, string>): string | undefined => {
  const repo = repos.get(parentOf(uid));
  return repo === undefined || !name ? undefined : `${repo}:${name}`;
};

/** `known`: names of repos that are known already. */
async function placed(
  answers: readonly Answer[],
  client: QueryClient,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<Found[]> {
  const rows = answers.flatMap(({ kind, rows }) => rows.map((row) => ({ kind, row })));
  const inRepos = rows.filter(({ kind }) => kind.parent === "repos");
  const unnamed = inRepos.map(({ row: { uid } }) => uid).filter((uid) => !known.has(parentOf(uid)));
  const [names, named] = await Promise.all([
    readAncestorNames(
      client,
      rows.map(({ kind, row: { uid } }) => ({ uid: kind.parent === "repos" ? parentOf(uid) : uid })),
    ).catch(() => new Map<string, string>()),
    reposOf(unnamed),
  ]);
  const repos = new Map([...known, ...named]);
  return rows.map(({ kind: { collection }, row }) => ({
    collection,
    uid: row.uid,
    name: inRepo(row, repos) ?? [row.name, row.componentName].filter(Boolean).join(", "),
    place: placeText({ collection, uid: row.uid }, names),
  }));
}

/** True for kinds whose records can have a uid of this depth. */
const fits = (uid: string) => (kind: Kind) => kind.parent === "groups" || depthOf(uid) > 2;

async function byUid(uid: string, { client, kinds, signal }: Surroundings): Promise<Located> {
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

async function byName(name: string, { client, kinds, signal }: Surroundings): Promise<Located> {
  const { answers, notes } = await askAll(kinds.filter(hasNames), { name }, signal);
  return {
    found: await placed(answers, client),
    more: answers.flatMap(({ kind, count = 0, rows }) =>
      count > rows.length ? [{ kind, count, search: { name } }] : [],
    ),
    notes,
  };
}

async function byDigest(digest: string, { client, kinds, signal }: Surroundings): Promise<Located> {
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

async function byAdvisory(id: string, { client, kinds, signal }: Surroundings): Promise<Located> {
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

async function byReference(reference: PullReference, surroundings: Surroundings): Promise<Located> {
  const { client, kinds, registryHost, signal } = surroundings;
  const { host, path, tag, digest } = reference;
  const repos = kinds.find(({ collection }) => collection === "repos");
  const tags = kinds.find(({ collection }) => collection === "tags");
  if (!repos) return { ...NOTHING, notes: ["You need permission to list repos to search for an image."] };
  const elsewhere =
    host !== undefined && registryHost !== undefined && !sameHost(host, registryHost)
      ? [`${host} is not this registry (${registryHost}).`]
      : [];
  const name = path.at(-1) ?? "";
  const named = await ask(repos, { name }, signal, REPOS);
  const inPath = await Promise.all(
    named.rows.map(async ({ uid }) => {
      if (path.length === 1) return true;
      const organization = await client.ensureQueryData(groupQuery(rootOf(uid))).catch(() => undefined);
      return organization !== undefined && repoPath(organization.name, name) === path.join("/");
    }),
  );
  const rows = named.rows.filter((_, index) => inPath[index]);
  const said = path.join("/");
  const answerOf = async (rows: readonly Row[], ...notes: string[]): Promise<Located> => ({
    found: await placed([{ ...named, rows: rows.slice(0, SHOWN) }], client),
    // The list can only be limited to the name, so it has all of them.
    more:
      rows.length > SHOWN ? [{ kind: repos, count: named.count ?? named.rows.length, search: { name } }] : [],
    notes: [...elsewhere, ...notes],
  });
  if (rows.length === 0)
    return answerOf(
      named.rows,
      `Repo ${said} doesn't exist, ${HIDDEN}.`,
      ...(named.rows.length > 0 ? [`Repos named ${name}:`] : []),
    );
  if ((tag === undefined && digest === undefined) || !tags) return answerOf(rows);
  // A digest takes precedence; the tag next to it is informational (Docker's reference grammar).
  const wanted = digest === undefined ? { name: tag } : { digest };
  const answers = await Promise.all(
    rows.slice(0, SHOWN).map(({ uid }) => ask(tags, { "uidp.children_of": uid, ...wanted }, signal)),
  );
  if (answers.some(({ rows: tagged }) => tagged.length > 0)) {
    const known = new Map(rows.map(({ uid }) => [uid, name]));
    return { ...NOTHING, found: await placed(answers, client, known), notes: elsewhere };
  }
  const missing = digest === undefined ? `tag ${tag}` : "tag with this digest";
  return answerOf(
    rows,
    rows.length > SHOWN
      ? `None of the first ${SHOWN} repos named ${name} has ${digest === undefined ? missing : `a ${missing}`}. The repos:`
      : `${said} has no ${missing}. The repo:`,
  );
}

/**
 * Finds the records that a text can refer to, with one request per kind, in parallel. Throws the ApiError if they all
 * fail.
 */
export async function locate(pasted: Pasted, surroundings: Surroundings): Promise<Located> {
  switch (pasted.is) {
    case "uid":
      return byUid(pasted.uid, surroundings);
    case "uid part": {
      const says = "This is only part of a uid. Enter the whole uid.";
      const { found } = pasted.above === undefined ? NOTHING : await byUid(pasted.above, surroundings);
      return { ...NOTHING, found, notes: [found.length > 0 ? `${says} It starts with the uid of:` : says] };
    }
    case "digest":
      return byDigest(pasted.digest, surroundings);
    case "reference":
      return byReference(pasted.reference, surroundings);
    case "error": {
      const { meaning, reference } = pasted.error;
      const about = reference ? await byReference(reference, surroundings) : NOTHING;
      return { ...about, notes: [meaning, ...about.notes] };
    }
    case "vulnerability":
      return byAdvisory(pasted.id, surroundings);
    case "name":
      return byName(pasted.name, surroundings);
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

/** The record whose page shows a result: its parent for a kind without screens. */
export const shownAt = ({ collection, uid }: Pick<Found, "collection" | "uid">) => {
  const kind = kindOf(collection);
  return kind === undefined || kind.screens
    ? { collection, uid }
    : { collection: kind.parent, uid: parentOf(uid) };
};
