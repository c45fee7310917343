import type { QueryClient } from "@tanstack/react-query";

import { rootOf } from "~/contract/aip";
import type { Repo } from "~/contract/registry/repos";
import { copyText } from "~/kit/copy-text";
import { toast } from "~/kit/toast-store";
import { groupQuery } from "~/parts/path";
import { atHost, repoPath } from "~/parts/pull-reference";

/** Copies how a client names a repo, without a tag, and without the host where nobody said which it is; or says why not. */
export async function copyReference(
  client: QueryClient,
  { uid, name }: Repo,
  host: string | undefined,
): Promise<void> {
  const organization = await client.ensureQueryData(groupQuery(rootOf(uid))).catch(() => undefined);
  if (organization === undefined)
    return toast("No reference: the name of the organization is part of it, and you may not see it");
  const path = repoPath(organization.name, name);
  if (path === undefined) return toast("No reference: the name of the organization cannot stand in one");
  return host === undefined
    ? copyText(path, "reference; the registry host is not configured")
    : copyText(atHost(host, path), "reference");
}
