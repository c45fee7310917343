import { useSyncExternalStore } from "react";

import type { TreeNode } from "./rows";

export interface Revealed extends TreeNode {
  /** What happened to it: the mark beside its name. */
  readonly word: "New" | "Renamed";
}

let revealed: Revealed | undefined;
const listeners = new Set<() => void>();

/** Shows a group in the tree, which opens what is above it, and marks it until another one is shown. */
export function revealGroup(node: Revealed): void {
  revealed = node;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The group that was created or renamed last on this page. */
export const useRevealed = (): Revealed | undefined => useSyncExternalStore(subscribe, () => revealed);
