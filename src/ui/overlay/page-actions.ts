import { useLayoutEffect } from "react";

import type { MenuAction } from "./menu";

/** An action of the page on screen, for the command palette. */
export interface PageAction extends MenuAction {
  /** The one primary action of the page. */
  readonly primary?: boolean | undefined;
  /** Name of its row, if it is not an action of the page itself. */
  readonly of?: string | undefined;
}

type Offer = () => readonly PageAction[];

const offers = new Set<Offer>();

/** Offers actions in the command palette while the component is mounted; `offer` is called when the palette opens. */
export function usePageActions(offer: Offer): void {
  // Before the page is painted: whoever sees a button can press its key.
  useLayoutEffect(() => {
    offers.add(offer);
    return () => void offers.delete(offer);
  });
}

/** The actions that the page offers now. */
export const pageActions = (): PageAction[] => [...offers].flatMap((offer) => offer());
