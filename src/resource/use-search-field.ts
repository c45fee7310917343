import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";

import type { Item } from "./define";
import type { ListScreen } from "./list-screen";

/**
 * The one search field of a list. A text is given to the first filter that takes it, which the service answers exactly
 * where it can; when nothing is found the next one is asked, which as a rule reads the whole list. An address says which of
 * them is meant, and is never read as another.
 */
export function useSearchField<T extends Item, I>(list: ListScreen<T, I>) {
  const { screens, search, filter } = list;
  const client = useQueryClient();
  const { history } = useRouter();
  const by = screens.searchedBy(search);
  return {
    text: by && search[by],
    onApply: (typed: string | undefined) => {
      const change = screens.searchFor(typed);
      if (!change) return;
      filter(change);
      if (typed === undefined) return;
      const view = { ...search, ...change, at: undefined };
      // What the service refuses, the list says.
      import("./list-extras")
        .then(({ widenSearch }) => widenSearch(list, client, history, typed, view))
        .catch(() => undefined);
    },
  };
}
