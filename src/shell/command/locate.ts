import { ancestorsOf, depthOf, rootOf } from "platform-contract/aip";
import { kindOf } from "platform-contract/kinds";
import type { Kind } from "platform-contract/kind";
import { repoPath } from "~/domains/registry/references/pull-reference";
import { sameHost, type PullReference } from "~/domains/registry/references/reference-text";
import { groupQuery } from "~/frame/scope/group-ancestry";

import { ask, askAll, SHOWN, type FoundRow } from "./ask-lists";
import { placed } from "./found";
import { NOTHING, type LocateContext, type Located } from "./located";
import type { Pasted } from "./pasted";
import { hasNames } from "./unnamed";

/** Maximum number of same-named repos to compare a reference with. */
const REPOS = 200;

/** Finds the repo or the tag of an image reference. */
async function byReference(reference: PullReference, context: LocateContext): Promise<Located> {
  const { client, kinds, registryHost, signal } = context;
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
  let unreadable = false;
  const inPath = await Promise.all(
    named.rows.map(async ({ uid }) => {
      if (path.length === 1) return true;
      const organization = await client.ensureQueryData(groupQuery(rootOf(uid))).catch(() => undefined);
      unreadable ||= organization === undefined;
      return (
        organization !== undefined &&
        repoPath(organization.name, name, organization.namespace) === path.join("/")
      );
    }),
  );
  const rows = named.rows.filter((_, index) => inPath[index]);
  const said = path.join("/");
  const answerOf = async (rows: readonly FoundRow[], ...notes: string[]): Promise<Located> => ({
    found: await placed([{ ...named, rows: rows.slice(0, SHOWN) }], client),
    // The list can only be limited to the name, so it has all of them.
    more:
      rows.length > SHOWN ? [{ kind: repos, count: named.count ?? named.rows.length, search: { name } }] : [],
    notes: [...elsewhere, ...notes],
  });
  if (rows.length === 0)
    return answerOf(
      named.rows,
      unreadable
        ? `Your role hides an organization, so ${said} can't be compared with its paths.`
        : `No repo that you can see is ${said}.`,
      ...(named.rows.length > 0 ? [`Under “Found” are repos with the name ${name}.`] : []),
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
        ? "No record that you can see has this uid. Nearest group:"
        : "No record that you can see has this uid.",
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
const WHOLE_DIGEST =
  "Enter a whole digest: sha256: followed by 64 hex digits. Pressing a short one in a list copies it.";

async function byDigest(digest: string, { client, kinds, signal }: LocateContext): Promise<Located> {
  const tags = kinds.find(({ collection }) => collection === "tags");
  if (!tags) return { ...NOTHING, notes: ["You need permission to list tags to search by digest."] };
  const answer = await ask(tags, { digest }, signal);
  const { rows, count = rows.length } = answer;
  return {
    found: await placed([answer], client),
    more: count > rows.length ? [{ kind: tags, count, search: { digest } }] : [],
    notes: rows.length > 0 ? [] : ["No tag that you can see has this digest."],
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
      // Lists show twelve digits of a digest, by which the API can't search.
      const says = `This is only part of a uid${pasted.above === undefined ? " or a digest" : ""}. Enter the whole one.`;
      const { found } = pasted.above === undefined ? NOTHING : await byUid(pasted.above, context);
      return { ...NOTHING, found, notes: [found.length > 0 ? `${says} It starts with the uid of:` : says] };
    }
    case "digest":
      return byDigest(pasted.digest, context);
    case "reference":
      return byReference(pasted.reference, context);
    case "question":
      return pasted.repo === undefined
        ? NOTHING
        : byReference(
            { host: undefined, path: pasted.repo.split("/"), tag: undefined, digest: undefined },
            context,
          );
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
      return { ...NOTHING, notes: [WHOLE_DIGEST] };
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
