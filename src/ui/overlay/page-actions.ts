import { useEffect } from "react";

import type { MenuAction } from "./menu";

/** What the page on screen can do, for whoever would rather type than point. */
export interface PageAction extends MenuAction {
  /** The one primary action of the page. */
  readonly primary?: boolean | undefined;
  /** The name of the row that it is about, where it is not the page's own. */
  readonly of?: string | undefined;
}

type Offer = () => readonly PageAction[];

const offers = new Set<Offer>();

/** Offers actions in the command palette as long as the component is there; asked for when that opens. */
export function usePageActions(offer: Offer): void {
  useEffect(() => {
    offers.add(offer);
    return () => void offers.delete(offer);
  });
}

/** What the page offers now. */
export const pageActions = (): PageAction[] => [...offers].flatMap((offer) => offer());
