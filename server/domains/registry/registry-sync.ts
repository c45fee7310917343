import { reasonOf } from "../../reason";
import { Failure } from "../../status";
import { readRepository, TAG } from "../../platform/registry/names";
import { lookAt, type LookContext, type LookedAt } from "./look";
import { findNamed, type NamedRepo, type RepositoryName } from "./namespaces.table";
import { digestsOfTags, forgetUntagged } from "./registry-images.table";
import { forgetPushers } from "./registry-looks.table";
import {
  createSeenRepo,
  digestsSeen,
  reposWithTags,
  writeDifferences,
  type RegistryDifference,
} from "./registry-sync.table";

/** Repositories whose names are looked up at once. */
const BATCH = 200;
/** References in a row that cannot be looked at before the registry counts as silent. */
const MOST_FAILED = 5;

/** The registry has nothing, and the ledger has tags: rather a lost volume than a thousand deletions. */
export class EmptyRegistry extends Error {
  constructor() {
    super(
      "the registry has no repository while this service has tags: compare by hand with platform-console registry sync --once",
    );
  }
}

export interface SyncOptions {
  /** Only lists what differs. */
  readonly isDry?: boolean;
  /** Compares with a registry that has nothing too: then all tags go. */
  readonly takesEmpty?: boolean;
  /** Asked between repositories. */
  readonly isOver?: () => boolean;
  /** Called with each difference. */
  readonly tell?: (one: RegistryDifference) => void;
}

export interface SyncResult {
  readonly repositories: number;
  readonly differences: readonly RegistryDifference[];
}

async function* inBatches<T>(values: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const value of values) {
    batch.push(value);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

type Told = Omit<RegistryDifference, "mended" | "detail" | "reference"> &
  Partial<Pick<RegistryDifference, "detail" | "reference">>;

/** One comparison. */
class Comparison {
  readonly differences: RegistryDifference[] = [];
  readonly visited = new Set<string>();
  /** References in a row that could not be looked at. */
  #failed = 0;

  constructor(
    readonly context: LookContext,
    readonly options: SyncOptions,
  ) {}

  #tell(one: Told, mended: boolean): void {
    const difference = { reference: "", detail: "", ...one, mended };
    this.differences.push(difference);
    this.options.tell?.(difference);
  }

  /** Compares the tags of a repo, and mends the ledger. */
  async compare(repo: LookedAt, organization: string): Promise<void> {
    const { database, client } = this.context;
    const { uid, repository } = repo;
    this.visited.add(uid);
    const here = await digestsOfTags(database, uid);
    const seen = await digestsSeen(database, uid);
    let isMended = false;
    const mend = async (
      tag: string,
      difference: RegistryDifference["difference"] | undefined,
      detail = "",
    ) => {
      const one = { repository, reference: tag, organization, repo: uid, detail };
      try {
        if (!this.options.isDry) isMended = (await lookAt(this.context, repo, tag)) !== "same" || isMended;
        this.#failed = 0;
        if (difference) this.#tell({ ...one, difference }, !this.options.isDry);
      } catch (error) {
        // One image that cannot be read or written must not stop the comparison of all others; a silent registry does.
        this.#failed += 1;
        if (error instanceof Failure && this.#failed > MOST_FAILED) throw error;
        this.#tell({ ...one, difference: "DIFFERENCE_UNREADABLE", detail: reasonOf(error) }, false);
      }
    };
    const there = new Set<string>();
    for await (const tag of client.tags(repository)) {
      if (!TAG.test(tag)) continue;
      there.add(tag);
      const own = here.get(tag);
      const digest = await client.digestOf(repository, tag);
      if (digest === undefined) there.delete(tag);
      else if (own === undefined) await mend(tag, "DIFFERENCE_TAG_MISSING", digest);
      else if (own !== digest) await mend(tag, "DIFFERENCE_OTHER_DIGEST", `${own} here, ${digest} there`);
      else if (!seen.has(digest) && !tag.startsWith("sha256-")) await mend(tag, undefined);
    }
    for (const [tag, digest] of here) if (!there.has(tag)) await mend(tag, "DIFFERENCE_TAG_GONE", digest);
    if (isMended) await database.transaction((queries) => forgetUntagged(queries, uid));
  }

  /** Compares a repository of the registry's list. */
  async visit({ namespace, repo: name, organization, repos }: NamedRepo): Promise<void> {
    const { database, client } = this.context;
    const repository = `${namespace}/${name}`;
    const [found] = repos;
    const one = { repository, organization, repo: undefined };
    if (organization === undefined)
      return this.#tell({ ...one, difference: "DIFFERENCE_NO_ORGANIZATION" }, false);
    if (repos.length > 1)
      return this.#tell({ ...one, difference: "DIFFERENCE_AMBIGUOUS", detail: repos.join(", ") }, false);
    if (found !== undefined) return this.compare({ uid: found, repository }, organization);
    // A repository without tags may be what is left of one that was deleted here.
    const first = await client.tags(repository).next();
    if (first.done) return;
    if (this.options.isDry) return this.#tell({ ...one, difference: "DIFFERENCE_REPO_MISSING" }, false);
    const uid = await database.transaction((queries) => createSeenRepo(queries, organization, name));
    this.#tell({ ...one, repo: uid, difference: "DIFFERENCE_REPO_MISSING" }, true);
    return this.compare({ uid, repository }, organization);
  }

  noOrganization(repository: string): void {
    const one = { repository, organization: undefined, repo: undefined };
    this.#tell(
      { ...one, difference: "DIFFERENCE_NO_ORGANIZATION", detail: "not a name of this service" },
      false,
    );
  }
}

/**
 * Compares the ledger with the registry, and mends the ledger: repos, tags and digests as the registry has them. In the
 * registry it only finishes a deletion that was interrupted. Throws an EmptyRegistry, or UNAVAILABLE.
 */
export async function syncRegistry(context: LookContext, options: SyncOptions = {}): Promise<SyncResult> {
  const { database, client } = context;
  const comparison = new Comparison(context, options);
  let repositories = 0;
  for await (const names of inBatches(client.repositories())) {
    repositories += names.length;
    const known: RepositoryName[] = [];
    for (const name of names) {
      const read = readRepository(name);
      if (read) known.push(read);
      else comparison.noOrganization(name);
    }
    for (const named of await findNamed(database, known)) {
      if (options.isOver?.()) return { repositories, differences: comparison.differences };
      await comparison.visit(named);
    }
  }
  let rest = await reposWithTags(database, "", BATCH);
  if (repositories === 0 && rest.length > 0 && !options.takesEmpty) throw new EmptyRegistry();
  while (rest.length > 0) {
    for (const { uid, repository } of rest) {
      if (options.isOver?.()) return { repositories, differences: comparison.differences };
      if (comparison.visited.has(uid)) continue;
      const name = readRepository(repository);
      const [named] = name ? await findNamed(database, [name]) : [];
      // One of several of its name: said above.
      if (named?.organization !== undefined && named.repos.length === 1)
        await comparison.compare({ uid, repository }, named.organization);
    }
    rest = await reposWithTags(database, rest.at(-1)?.uid ?? "", BATCH);
  }
  if (!options.isDry)
    await database.transaction(async (queries) => {
      await writeDifferences(queries, comparison.differences);
      await forgetPushers(queries);
    });
  return { repositories, differences: comparison.differences };
}
