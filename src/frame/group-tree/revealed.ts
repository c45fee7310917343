import { useSyncExternalStore } from "react";

import { Store } from "~/store";

import type { TreeNode } from "./rows";

export interface Revealed extends TreeNode {
  /** What happened to it: the mark beside its name. */
  readonly word: "New" | "Renamed";
}

const revealed = new Store<Revealed | undefined>(() => undefined);

/** Shows a group in the tree, which opens what is above it, and marks it until another one is shown. */
export const revealGroup = (node: Revealed): void => revealed.set(node);

/** The group that was created or renamed last on this page. */
export const useRevealed = (): Revealed | undefined => useSyncExternalStore(revealed.subscribe, revealed.get);
