import type { QueryClient } from "@tanstack/react-query";

import { plainResource, type DeletableCollection } from "~/api/bulk/deletion";
import { call } from "~/api/client/client";
import { isDown } from "~/api/client/connection";
import { ApiError } from "~/api/client/errors";
import { DeletionQueue, isUnderWay } from "~/api/mutations/deletion-queue";
import { hideUids, LEFT_KEY } from "~/api/mutations/hidden";
import { invalidateDependents, refreshDerived, remove } from "~/api/mutations/patch";
import { sendDelete } from "~/api/mutations/send-delete";
import { beginUse } from "~/ui/on-first-interaction";

import { showDeletions } from "./panel";
import type { DeletionTarget } from "./words";

/** What a page that is left hands to the next one in its tab. */
interface Left {
  readonly owner: string;
  /** When, in ms. */
  readonly at: number;
  readonly uids: readonly string[];
  readonly targets: readonly DeletionTarget[];
}

export interface UndoContext {
  readonly client: QueryClient;
  /** Who deletes. */
  readonly owner: string;
}

/** Milliseconds after which nobody expects any more that a deletion from before goes on. */
const FORGOTTEN = 60_000;

let queue: DeletionQueue<DeletionTarget> | undefined;

/** A console at another path of the same host has another API, and the same storage. */
const ownerHere = ({ owner }: UndoContext): string => `${owner} ${document.baseURI}`;

async function isThere({ uid, resource: { get } }: DeletionTarget): Promise<boolean | undefined> {
  if (!get) return undefined;
  try {
    await call(get, { path: { uid } });
    return true;
  } catch (error) {
    return error instanceof ApiError && error.code === "NOT_FOUND" ? false : undefined;
  }
}

/** The deletions of this tab, made with the first of them. */
export function deletions(context: UndoContext): DeletionQueue<DeletionTarget> {
  if (queue) return queue;
  const { client } = context;
  const made = new DeletionQueue<DeletionTarget>({
    send: ({ uid, resource }) => sendDelete(resource, uid),
    isThere,
    isDown,
    onGone({ uid, resource: { collection, affects } }) {
      remove(client, collection, uid);
      void refreshDerived(client, collection);
      invalidateDependents(client, affects);
    },
  });
  queue = made;
  made.subscribe(() => {
    const uids = made.get().flatMap((each) => (isUnderWay(each) ? each.uid : []));
    hideUids(uids);
    showDeletions(made);
  });
  watchLeaving(made, ownerHere(context));
  document.addEventListener("keydown", (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
    if (key.toLowerCase() !== "z" || ctrlKey === metaKey || altKey || shiftKey) return;
    if ((target as Element).closest?.("input, textarea, select, [contenteditable]")) return;
    if (!made.get().some(({ canUndo }) => canUndo)) return;
    event.preventDefault();
    made.undo();
  });
  return made;
}

const ignore = () => undefined;

/** Leaving the page sends what still waits; the next page of this tab finds out what became of it. */
function watchLeaving(made: DeletionQueue<DeletionTarget>, owner: string): void {
  window.addEventListener("pagehide", () => {
    const targets = made.leave();
    if (targets.length === 0) return;
    keep({ owner, at: Date.now(), uids: targets.map(({ uid }) => uid), targets });
    for (const { uid, resource } of targets)
      call(resource.delete, { path: { uid }, keepalive: true }).catch(ignore);
  });
  // From the browser's cache of whole pages.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return;
    forget();
    made.comeBack();
  });
}

function keep(left: Left): void {
  try {
    sessionStorage.setItem(LEFT_KEY, JSON.stringify(left));
  } catch {
    // Full, or forbidden: the requests are on their way all the same.
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(LEFT_KEY);
  } catch {
    // Forbidden: then there is none.
  }
}

/** Goes on with what the page before this one in the tab had sent when it was left. */
export function restoreDeletions(context: UndoContext): void {
  let left: Left | undefined;
  try {
    left = JSON.parse(sessionStorage.getItem(LEFT_KEY) ?? "null") as Left;
  } catch {
    // Not readable: nothing to go on with.
  }
  forget();
  if (left?.owner !== ownerHere(context) || Date.now() - left.at > FORGOTTEN) return hideUids([]);
  beginUse();
  deletions(context).restore(left.targets);
}

/** Sends what waits and resolves when it is answered, or after so many milliseconds. */
export async function sendDeletions(patience: number): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, patience));
  await Promise.race([queue?.flush(), timeout]);
}

/** A record as the queue and the next page need it. */
export const targetOf = (
  resource: DeletableCollection & { readonly noun: string },
  { uid, name }: { readonly uid: string; readonly name: string },
): DeletionTarget => ({ uid, name, noun: resource.noun, resource: plainResource(resource) });
