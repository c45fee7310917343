import { rootOf } from "platform-contract/aip";

import { repoPath } from "~/domains/registry/references/pull-reference";
import { sameHost, type PullReference } from "~/domains/registry/references/reference-text";
import { groupQuery } from "~/frame/scope/group-ancestry";
import { ask, SHOWN, type Row } from "./ask-lists";
import { placed } from "./found";
import { HIDDEN, NOTHING, type LocateContext, type Located } from "./located";

/** Maximum number of same-named repos to compare a reference with. */
const REPOS = 200;

/** Finds the repo or the tag of an image reference. */
export async function byReference(reference: PullReference, context: LocateContext): Promise<Located> {
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
