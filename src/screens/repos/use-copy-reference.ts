import { useQueryClient } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";

import type { Repo } from "~/contract/registry/repos";
import type { MenuAction } from "~/kit/menu";

/** What a repo's menus have to copy. Its code comes when a menu opens, and is there when something is chosen. */
export function useCopyReference(): (repo: Repo) => MenuAction {
  const client = useQueryClient();
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  return (repo) => {
    const code = import("./copy-reference");
    code.catch(() => undefined);
    return {
      label: "Copy reference",
      onSelect: () =>
        void code.then(
          ({ copyReference }) => copyReference(client, repo, registryHost),
          () => undefined,
        ),
    };
  };
}
