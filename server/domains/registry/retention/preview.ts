import { createHash } from "node:crypto";

import { confirmRetentionRule, MOST_TAGS, previewRetention } from "platform-contract/registry/retention";
import { tally, unnamedImages, type Decision } from "platform-contract/registry/retention-decision";

import { holds } from "../../../platform/access/caller";
import { queryOf, type Call, type Handler } from "../../../platform/standard/call";
import { notFoundError } from "../../../platform/standard/resource-info";
import type { Context } from "../../../platform/standard/rules";
import { withoutUnset } from "../../../platform/standard/values";
import { readPageRequest } from "../../../platform/store/lists/page-tokens";
import { failedPrecondition } from "../../../status";
import { decideRepo, reposOfRule, TooManyTags } from "./facts.table";
import { readRule, type RuleRow } from "./rules.table";
import { pullsOf, today } from "./run";

/** Repos that a preview reads at a time. */
const REPOS = 50;

export const noRule = (context: Context, uid: string) =>
  notFoundError(context, { area: "registry", type: "RetentionRule" }, uid);

/** What a token of a preview is bound to: its caller, the rule as it is, and the day in UTC. */
export const previewed = (call: Call, { uid, version }: Pick<RuleRow, "uid" | "version">) => ({
  list: `${confirmRetentionRule.id} ${uid} ${version} ${today().toISOString()}`,
  caller: call.caller.key,
  order: "",
  filters: {},
});

const tooMany = (uid: string) =>
  failedPrecondition([
    {
      type: "RETENTION_PREVIEW_SIZE",
      description: `there are more than ${MOST_TAGS} tags here: set rules for folders or repos below`,
      subject: uid,
    },
  ]);

/** What a rule does with the tags of its repos now, in the order of repos and names. */
async function* decisionsOf(context: Context, call: Call, rule: RuleRow, from: string) {
  const { database } = context;
  const pulls = await pullsOf(context, database);
  const mayName = (repo: string) => holds(call.caller, "CAP_REPO_LIST", repo);
  let after = "";
  for (;;) {
    const repos = await reposOfRule(database, rule.uid, after, REPOS);
    for (const repo of repos) {
      if (repo.uid < from) continue;
      // oxlint-disable-next-line no-await-in-loop -- one repo is in memory at a time
      const decisions = await decideRepo(database, repo, rule.settings, pulls, mayName).catch(
        (error: unknown) => {
          throw error instanceof TooManyTags ? tooMany(rule.uid) : error;
        },
      );
      yield { repo, decisions };
    }
    after = repos.at(-1)?.uid ?? after;
    if (repos.length < REPOS) return;
  }
}

/** What a rule would delete now, with the token that confirms exactly this. */
export const preview =
  (context: Context): Handler =>
  async (call) => {
    const { path, caller } = call;
    const rule = await readRule(context.database, path.uid);
    if (!rule) throw noRule(context, path.uid);
    const { size, position, next } = await readPageRequest(context.tokens, {
      list: `${previewRetention.id} ${rule.uid} ${rule.version}`,
      caller: caller.key,
      query: call.query,
      order: { field: "uid", descending: false },
    });
    const { deleted } = queryOf(previewRetention, call);
    const [fromRepo = "", fromName = ""] = (position?.uid ?? "").split(" ");
    const rows: {
      readonly repo: { readonly uid: string; readonly name: string };
      readonly decision: Decision;
    }[] = [];
    const hash = createHash("sha256");
    const all = { tags: 0, deletions: 0, repos: 0, unnamed: 0 };
    const reasons = new Map<string, number>();
    for await (const { repo, decisions } of decisionsOf(context, call, rule, fromRepo)) {
      for (const decision of decisions) {
        if (repo.uid === fromRepo && decision.tag.name <= fromName) continue;
        if ((deleted === undefined || decision.deleted === deleted) && rows.length <= size)
          rows.push({ repo, decision });
      }
      if (position) {
        if (rows.length > size) break;
        continue;
      }
      const going = decisions.filter((one) => one.deleted);
      for (const { tag } of going) hash.update(`${tag.uid} ${tag.digest}\n`);
      for (const [reason, count] of tally(decisions)) reasons.set(reason, (reasons.get(reason) ?? 0) + count);
      all.tags += decisions.length;
      all.deletions += going.length;
      all.repos += 1;
      all.unnamed += unnamedImages(decisions);
      if (all.tags > MOST_TAGS) throw tooMany(rule.uid);
    }
    const shown = rows.slice(0, size);
    const last = rows.length > size ? shown.at(-1) : undefined;
    return withoutUnset({
      retentionDecisions: shown.map(({ repo, decision: { tag, deleted: goes, why } }) =>
        withoutUnset({
          uid: tag.uid,
          name: tag.name,
          repoUid: repo.uid,
          repoName: repo.name,
          digest: tag.digest,
          updateTime: tag.updateTime,
          deleted: goes,
          why,
        }),
      ),
      nextPageToken: last && (await next("", `${last.repo.uid} ${last.decision.tag.name}`, "")),
      version: rule.version,
      ...(!position && {
        previewToken: await context.tokens.write(previewed(call, rule), {
          value: String(all.deletions),
          uid: hash.digest("hex"),
          total: "",
        }),
        deletions: all.deletions,
        kept: all.tags - all.deletions,
        repos: all.repos,
        unnamedImages: all.unnamed,
        reasons: [...reasons]
          .toSorted(([, one], [, other]) => other - one)
          .map(([reason, tagCount]) => ({ reason, tagCount })),
      }),
    });
  };
