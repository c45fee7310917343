import { getArchitectures, getSize } from "platform-contract/registry/images";
import { repos } from "platform-contract/registry/repos";

import { notFound } from "../../status";
import { hasRepo, manifestsOf } from "./repos.table";
import type { Handler } from "../../platform/standard/call";
import { notFoundError as missingRepo } from "../../platform/standard/resource-info";
import type { Context } from "../../platform/standard/rules";

const DEFAULT_ARCHITECTURE = "amd64";

/** Computed facts about images, from their stored manifests. */
export function imageHandlers(context: Context): Map<string, Handler> {
  const { config, database } = context;
  const missing = (name: string) => notFound(`registry.${config.serviceDomain}/Image`, name);
  const facts = async (repo: string, digest: string) => {
    if (!(await hasRepo(database, repo))) throw missingRepo(context, repos, repo);
    return manifestsOf(database, repo, digest);
  };

  const architectures: Handler = async ({ path: { uid, digest = "" } }) => {
    const found = await facts(uid, digest);
    if (found.length === 0) throw missing(`${uid}@${digest}`);
    return { architectures: found.map(({ architecture }) => architecture) };
  };

  const size: Handler = async ({ path: { uid, digest = "" }, query }) => {
    const wanted = String(query["architecture"] || DEFAULT_ARCHITECTURE);
    const found = (await facts(uid, digest)).find(({ architecture }) => architecture === wanted);
    if (!found) throw missing(`${uid}@${digest} for ${wanted}`);
    return { size: String(found.size), architecture: wanted };
  };

  return new Map([
    [getArchitectures.id, architectures],
    [getSize.id, size],
  ]);
}
