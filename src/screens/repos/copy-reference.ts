import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import { rootOf } from "~/contract/aip";
import type { Repo } from "~/contract/registry/repos";
import { copyText } from "~/ui/display/copy-text";
import type { MenuAction } from "~/ui/overlay/menu";
import { toast } from "~/ui/feedback/toast-store";
import { groupQuery } from "~/features/scope/group-ancestry";
import { atHost, repoPath } from "~/features/registry/pull-reference";

/** Copies how a client names a repo, without a tag, and without the host where nobody said which it is; or says why not. */
async function copyReference(
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

/** What a repo's menus have to copy. */
export function useCopyReference(): (repo: Repo) => MenuAction {
  const client = useQueryClient();
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  return (repo) => ({
    label: "Copy reference",
    onSelect: () => void copyReference(client, repo, registryHost),
  });
}
