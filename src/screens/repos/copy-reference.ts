import { useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import type { Repo } from "~/contract/registry/repos";
import { atHost } from "~/features/registry/pull-reference";
import { copyReference, organizationName, registryPath } from "~/features/registry/references";
import { toast } from "~/ui/feedback/toast-store";
import type { MenuAction } from "~/ui/overlay/menu";

/** Copies how a client names a repo, without a tag; where it has no reference, says why. */
export function useCopyReference(): (repo: Repo) => MenuAction {
  const client = useQueryClient();
  const { registryHost: host } = useRouteContext({ from: "__root__" }).config;
  const copy = async ({ uid, name: repo }: Repo): Promise<void> => {
    const { path, problem } = registryPath({ organization: await organizationName(client, uid), repo });
    if (path === undefined) toast(`No reference. ${problem}`);
    else await copyReference(host === undefined ? path : atHost(host, path), host);
  };
  return (repo) => ({ label: "Copy reference", onSelect: () => void copy(repo) });
}
