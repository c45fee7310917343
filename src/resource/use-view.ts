import { useNavigate, useRouter } from "@tanstack/react-router";

import type { ScopeSearch } from "~/features/scope/scope";
import { uidToParam } from "~/features/scope/uid-param";

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** This entry is the one before with a drawer open over it. */
    over?: boolean;
  }
}

/** Search parameters of a screen; its drawers by name. */
interface ViewSearch {
  drawer?: string | undefined;
}

/** Of a screen's search parameters and the scope those that change; undefined leaves one out. */
export type ViewChange<S> = S & ScopeSearch;

interface View<S extends ViewSearch> {
  /** Changes search parameters, as a step that Back takes back unless it is to `replace` the present one. */
  readonly show: (change: ViewChange<S>, replace?: boolean) => void;
  /** Changes which rows a list has, so that it begins at its top again. */
  readonly filter: (change: ViewChange<S>) => void;
  /** Opens a drawer over the page, about the record of `uid`. */
  readonly open: (drawer: NonNullable<S["drawer"]>, uid?: string) => void;
  /** Closes it, and is where it was opened: one more Back leads to what was before that. */
  readonly close: () => void;
}

/** What the address says of a screen besides its path: filters, order, the open drawer. */
export function useView<S extends ViewSearch>(): View<S> {
  const router = useRouter();
  const navigate = useNavigate();
  const go = (change: object, how: { replace?: boolean; state?: true | { over: boolean } }) =>
    void navigate({
      to: ".",
      search: (view: object) => ({ ...view, ...change }) as never,
      resetScroll: false,
      ...how,
    });
  return {
    show: (change, replace = false) => go(change, replace ? { replace, state: true } : {}),
    filter: (change) => go({ ...change, at: undefined }, {}),
    open: (drawer, uid) =>
      go({ drawer, item: uid === undefined ? undefined : uidToParam(uid) }, { state: { over: true } }),
    close: () => {
      // A drawer from a link, or from an address that was pasted, has nothing beneath it in the history.
      if (router.history.location.state.over) router.history.back();
      else go({ drawer: undefined, item: undefined }, { replace: true });
    },
  };
}
