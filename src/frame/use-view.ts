import { useNavigate, useRouter } from "@tanstack/react-router";

import type { ScopeSearch } from "./scope/scope";
import { uidToParam } from "./scope/uid-param";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** This entry is the previous one with a drawer open over it. */
    over?: boolean;
  }
}

/** Search parameters of a screen; its drawers by name. */
interface ViewSearch {
  drawer?: string | undefined;
}

/** The search parameters of a screen or the scope that change; undefined removes one. */
export type ViewChange<S> = S & ScopeSearch;

interface View<S extends ViewSearch> {
  /** Changes search parameters, as a new history entry unless `replace` is set. */
  readonly show: (change: ViewChange<S>, replace?: boolean) => void;
  /** Changes which rows a list has, and returns to its top. */
  readonly filter: (change: ViewChange<S>) => void;
  /** Opens a drawer over the page, for the record `uid`. */
  readonly open: (drawer: NonNullable<S["drawer"]>, uid?: string) => void;
  /** Closes the drawer, back to the history entry that opened it: the next Back goes to the one before. */
  readonly close: () => void;
}

/** Changes the search parameters of a screen: filters, order, the open drawer. */
export function useView<S extends ViewSearch>(): View<S> {
  const router = useRouter();
  const navigate = useNavigate();
  const go = (change: object, how: { replace?: boolean; state?: true | { over: boolean } }) =>
    void navigate({
      to: ".",
      search: (view: object) => ({ ...view, ...change }),
      resetScroll: false,
      ...how,
    });
  return {
    show: (change, replace = false) => go(change, replace ? { replace, state: true } : {}),
    filter: (change) => go({ ...change, at: undefined }, {}),
    open: (drawer, uid) =>
      go({ drawer, item: uid === undefined ? undefined : uidToParam(uid) }, { state: { over: true } }),
    close: () => {
      // A drawer from a link or a pasted address has no entry below it in the history.
      if (router.history.location.state.over) router.history.back();
      else go({ drawer: undefined, item: undefined }, { replace: true });
    },
  };
}
