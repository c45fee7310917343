import { randomUUID } from "node:crypto";

import { rootOf } from "platform-contract/aip";
import { MOST_TAGS } from "platform-contract/registry/retention";
import type { Decision } from "platform-contract/registry/retention-decision";

import type { Config } from "../../../config";
import type { Log } from "../../../log";
import { grantsOf } from "../../../platform/access/grants";
import { holds } from "../../../platform/access/caller";
import type { RegistryClient } from "../../../platform/registry/client";
import { appendEntries, requestOf } from "../../../platform/store/audit";
import { holdForward, releaseForward } from "../../../platform/store/audit-forwards";
import { now } from "../../../platform/store/clock";
import type { Database, Queries } from "../../../platform/store/database";
import { grouped } from "../../../platform/store/grouped";
import { noteCause } from "../../../platform/store/service-causes";
import { reasonOf } from "../../../reason";
import type { BackgroundTurns } from "../../../turns";
import { registryNameOf } from "../namespaces.table";
import { deleteInRegistry } from "../registry-deletion";
import { knownSince } from "../registry-usage";
import { recordTag } from "../tag-history.table";
import { countTag } from "../tags.table";
import {
  decideRepo,
  decidesAbout,
  lockRepo,
  reposOfRule,
  TooManyTags,
  type Pulls,
  type RepoOfRule,
} from "./facts.table";
import { dueRules, isDeactivated, lockRule, storeStop, type RuleRow } from "./rules.table";
import {
  beginRun,
  deleteTags,
  endRepo,
  endRun,
  failedIn,
  lockUnchanged,
  openRunOf,
  reportDeletions,
  type OpenRun,
} from "./runs.table";

/** How often to look for rules that are due, of this process and others. */
const LOOK_MS = 30_000;
/** The name of the lease by which one process runs rules at a time, and seconds for which it lasts unless it is kept. */
const LEASE = "registry:retention";
const LEASE_S = 60;
/** Repos that are read at a time. */
const REPOS = 50;
/** Tags that one transaction deletes: each statement of a hundred, as many as the log notes of one. */
const DELETED_AT_ONCE = 200;
const OF_STATEMENT = 100;
/** With a registry, which takes several requests for each. */
const DELETED_THERE = 20;

interface Options {
  readonly database: Database;
  readonly config: Config;
  readonly registry?: RegistryClient | undefined;
}

interface RunOptions extends Options {
  /** The turn of an organization for work that no request waits for. */
  readonly turns?: BackgroundTurns;
  /** False if this process must not go on. */
  readonly goesOn?: () => Promise<boolean>;
}

/** What the service knows of pulls; undefined without a registry. */
export async function pullsOf(
  { config }: Pick<Options, "config">,
  queries: Queries,
): Promise<Pulls | undefined> {
  if (!config.registry) return undefined;
  return { since: await knownSince({ config }, queries), scanners: config.registry.scanners };
}

/** Why whoever confirmed a rule could not delete its tags any more; undefined if they can. */
async function lostRight(
  queries: Queries,
  { uid, confirmed_by: identities }: RuleRow,
): Promise<string | undefined> {
  const grants = await grantsOf(queries, identities ?? []);
  if (!holds({ grants }, "CAP_TAG_DELETE", uid))
    return "The person who confirmed it can no longer delete tags here.";
  return (await isDeactivated(queries, identities ?? []))
    ? "The account of the person who confirmed it was deactivated."
    : undefined;
}

/**
 * Locks the rule of a run, if the run may go on. Otherwise ends the run, stops a rule whose confirmation no longer counts,
 * and returns undefined.
 */
async function lockToRun(
  queries: Queries,
  place: string,
  run: OpenRun | undefined,
): Promise<RuleRow | undefined> {
  const rule = await lockRule(queries, place);
  const end = async (reason: string) => {
    if (run) await endRun(queries, run.uid, reason);
    return undefined;
  };
  if (!rule) return end("The rule was deleted.");
  if (run && rule.version !== run.version) return end("The rule was changed.");
  if (rule.state !== "RETENTION_STATE_RUNNING") return end(rule.stop_reason ?? "The rule was stopped.");
  const lost = await lostRight(queries, rule);
  if (lost === undefined) return rule;
  await storeStop(queries, place, lost);
  const record = {
    kind: rule.repo_uid === null ? "groups" : "repos",
    uid: place,
    name: rule.place_name,
    group: rule.parent,
  };
  await appendEntries(queries, [
    {
      group: rule.parent,
      draft: {
        outcome: "OUTCOME_DONE",
        action: "service.stoppedRetention",
        record,
        justification: lost,
        request: requestOf(undefined),
      },
    },
  ]);
  return end(lost);
}

/** Deletes tags that are as they were decided about, with their counts and history, and reports them. */
async function deleteReported(
  queries: Queries,
  run: OpenRun,
  repo: RepoOfRule,
  decisions: readonly Decision[],
): Promise<void> {
  const tags = decisions.map(({ tag }) => tag);
  const unchanged = await lockUnchanged(queries, tags);
  const gone = decisions.filter(({ tag }) => unchanged.has(tag.uid));
  for (const { tag } of gone) {
    // oxlint-disable-next-line no-await-in-loop -- one row each, as for the deletion of one tag
    await countTag(queries, repo.uid, tag.name, -1);
    // oxlint-disable-next-line no-await-in-loop
    await recordTag(queries, repo.uid, tag.name, null, now());
  }
  for (let from = 0; from < gone.length; from += OF_STATEMENT)
    // oxlint-disable-next-line no-await-in-loop
    await deleteTags(
      queries,
      gone.slice(from, from + OF_STATEMENT).map(({ tag }) => tag.uid),
    );
  await reportDeletions(queries, run.uid, repo, gone);
  noteCause(queries, {
    justification: `Retention rule of ${run.place_name}, version ${run.version}`,
    subject: run.place,
  });
}

/** What is next in a repo: tags to delete; undefined if nothing is. */
async function nextOf(
  queries: Queries,
  run: OpenRun,
  repo: RepoOfRule,
  { pulls, most }: { readonly pulls: Pulls | undefined; readonly most: number },
): Promise<readonly Decision[] | undefined> {
  const through = (kept: number, reason?: string) =>
    endRepo(queries, run.uid, repo.uid, kept, reason).then(() => undefined);
  if (!(await lockRepo(queries, repo.uid)) || !(await decidesAbout(queries, run.place, repo.uid)))
    return through(0);
  try {
    const decisions = await decideRepo(queries, repo, run.settings, pulls);
    const failed = await failedIn(queries, run.uid, repo.uid);
    const going = decisions.filter(({ tag, deleted }) => deleted && !failed.has(tag.uid));
    if (going.length > 0) return going.slice(0, most);
    return await through(decisions.length - failed.size);
  } catch (error) {
    if (!(error instanceof TooManyTags)) throw error;
    return through(0, `${repo.name} has more than ${MOST_TAGS} tags and was left alone.`);
  }
}

/** Deletes tags in the registry, one after another. @returns those that are gone there, and why others are not */
async function deleteThere(
  registry: RegistryClient,
  repository: string | undefined,
  decisions: readonly Decision[],
): Promise<{
  readonly gone: readonly Decision[];
  readonly failed: readonly (readonly [Decision, string])[];
}> {
  if (repository === undefined) return { gone: decisions, failed: [] };
  const gone: Decision[] = [];
  const failed: (readonly [Decision, string])[] = [];
  for (const decision of decisions) {
    const { tag } = decision;
    try {
      // oxlint-disable-next-line no-await-in-loop -- the registry is asked for one at a time
      const digest = await registry.digestOf(repository, tag.name);
      if (digest !== undefined && digest !== tag.digest) {
        failed.push([decision, "The registry has another image under this name."]);
        continue;
      }
      // oxlint-disable-next-line no-await-in-loop
      await deleteInRegistry(registry, repository, tag.name);
      gone.push(decision);
    } catch (error) {
      // If it does not answer at all, the run waits.
      // oxlint-disable-next-line no-await-in-loop
      await registry.check();
      failed.push([decision, reasonOf(error)]);
    }
  }
  return { gone, failed };
}

/** Deletes in one repo what the rule says. @returns false if the run is over */
async function runRepo(options: RunOptions, run: OpenRun, repo: RepoOfRule): Promise<boolean> {
  const { database, registry, turns = (_share, work) => work(), goesOn = async () => true } = options;
  const most = registry ? DELETED_THERE : DELETED_AT_ONCE;
  const inTurn = <T>(work: (queries: Queries) => Promise<T>): Promise<T> =>
    turns(rootOf(run.place), () => database.transaction(work));
  for (;;) {
    if (!(await goesOn())) return false;
    const next = await inTurn(async (queries) => {
      const rule = await lockToRun(queries, run.place, run);
      if (!rule) return "over";
      const going = await nextOf(queries, run, repo, { pulls: await pullsOf(options, queries), most });
      if (!going) return "through";
      if (!registry) await deleteReported(queries, run, repo, going);
      return going;
    });
    if (next === "over") return false;
    if (next === "through") return true;
    if (!registry) continue;
    const { gone, failed } = await deleteThere(registry, await registryNameOf(database, repo.uid), next);
    await inTurn(async (queries) => {
      // Whatever became of the rule meanwhile: these are gone.
      await deleteReported(queries, run, repo, gone);
      for (const [decision, failure] of failed)
        await reportDeletions(queries, run.uid, repo, [decision], failure);
    });
  }
}

/**
 * Runs a rule that is due, or goes on where its run was interrupted: each batch is one transaction with its report, so that
 * a tag is deleted, logged and reported once. Decides in that transaction, not by the preview.
 * @param since a rule that ran after this moment is not due
 */
export async function runRule(options: RunOptions, place: string, since: Date): Promise<void> {
  const { database, goesOn = async () => true } = options;
  const run = await database.transaction(async (queries) => {
    const open = await openRunOf(queries, place);
    const rule = await lockToRun(queries, place, open);
    if (!rule) return undefined;
    if (open) return open;
    return rule.last_run_at && rule.last_run_at >= since ? undefined : beginRun(queries, rule);
  });
  if (!run) return;
  let after = run.done_through;
  for (;;) {
    const repos = await reposOfRule(database, place, after, REPOS);
    for (const repo of repos) if (!(await runRepo(options, run, repo))) return;
    after = repos.at(-1)?.uid ?? after;
    if (repos.length < REPOS) break;
  }
  if (await goesOn()) await endRun(database, run.uid, null);
}

/** The beginning of the day, in UTC: a rule runs once in each. */
export const today = (): Date => new Date(now().toISOString().slice(0, 10));

/** Runs all rules that are due, organizations taking turns. A rule that fails is tried again at the next look. */
export async function runRetention(options: RunOptions & { readonly log: Pick<Log, "warn"> }): Promise<void> {
  const since = today();
  const due = await dueRules(options.database, since);
  const byOrganization = grouped(due, rootOf);
  await Promise.all(
    [...byOrganization.values()].map(async (places) => {
      for (const place of places)
        await runRule(options, place, since).catch((err: unknown) =>
          options.log.warn({ err, place }, "a retention rule did not run"),
        );
    }),
  );
}

export interface RetentionRuns {
  /** Call when a rule was confirmed. */
  wake(): void;
  stop(): Promise<void>;
}

/** Runs rules once a day, in one process at a time, until it is stopped. */
export function startRetention(options: Omit<RunOptions, "goesOn"> & { readonly log: Log }): RetentionRuns {
  const { database, log } = options;
  const holder = randomUUID();
  const state = { isOver: false };
  const goesOn = async () => !state.isOver && (await holdForward(database, LEASE, holder, LEASE_S));
  const look = async () => {
    // Where nothing is due, nothing is written.
    if (state.isOver || (await dueRules(database, today())).length === 0) return;
    if (await goesOn()) await runRetention({ ...options, goesOn });
  };
  let running: Promise<void> = Promise.resolve();
  let waiting = false;
  const wake = () => {
    if (waiting || state.isOver) return;
    waiting = true;
    running = running
      .then(() => {
        waiting = false;
        return look();
      })
      .catch((err: unknown) => log.warn({ err }, "retention rules did not run"));
  };
  wake();
  const timer = setInterval(wake, LOOK_MS).unref();
  return {
    wake,
    async stop() {
      state.isOver = true;
      clearInterval(timer);
      await running;
      await releaseForward(database, LEASE, holder).catch(() => {});
    },
  };
}
