import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";

import type { Item } from "~/frame/define";
import type { ListScreen } from "./list-screen";
import { loadListExtras } from "./load-list-extras";

/**
 * The one search field of a list. A text goes to the first filter that takes it, which the service matches exactly if
 * it can; if nothing is found, the next filter is tried, which usually scans the whole list. The address names the
 * filter, and never stands for another one.
 */
export function useSearchField<T extends Item, I>(list: ListScreen<T, I>) {
  const { screens, search, filter, replace } = list;
  const client = useQueryClient();
  const { history } = useRouter();
  const by = screens.searchedBy(search);
  return {
    text: by && search[by],
    onApply: (typed: string | undefined, more: boolean) => {
      const change = screens.searchFor(typed);
      if (!change) return;
      if (more) replace(change);
      else filter(change);
      if (typed === undefined) return;
      const view = { ...search, ...change, at: undefined };
      // The list shows the service's errors.
      loadListExtras()
        .then(({ widenSearch }) => widenSearch(list, client, history, typed, view))
        .catch(() => undefined);
    },
  };
}
