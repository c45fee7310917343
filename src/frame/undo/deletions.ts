import type { QueryClient } from "@tanstack/react-query";

import { ApiError } from "platform-client/errors";

import { plainResource, type DeletableCollection } from "~/api/bulk/deletion";
import { call } from "~/api/client/client";
import { isDown } from "~/api/client/connection";
import { DeletionQueue, isUnderWay } from "~/api/mutations/deletion-queue";
import { hideUids, LEFT_KEY } from "~/api/mutations/hidden";
import { invalidateDependents, refreshDerived, remove } from "~/api/mutations/patch";
import { sendDelete } from "~/api/mutations/send-delete";
import { Store } from "~/store";
import { beginUse } from "~/ui/on-first-interaction";
import { offerUndo } from "~/ui/undo-key";

import { showDeletions } from "./panel";
import type { DeletionTarget } from "./words";

/** What an unloading page leaves for the next page in its tab. */
interface Left {
  readonly owner: string;
  /** When the page was left, in ms. */
  readonly at: number;
  readonly uids: readonly string[];
  readonly targets: readonly DeletionTarget[];
}

export interface UndoContext {
  readonly client: QueryClient;
  /** The user who deletes. */
  readonly owner: string;
}

/** Milliseconds after which the next page no longer restores deletions. */
const RESTORE_WITHIN_MS = 60_000;

const queue = new Store<DeletionQueue<DeletionTarget> | undefined>(() => undefined);

/** Includes the path: a console at another path of the same host shares the storage, but uses another API. */
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

/** The deletion queue of this tab, created with the first deletion. */
export function deletions(context: UndoContext): DeletionQueue<DeletionTarget> {
  const existing = queue.get();
  if (existing) return existing;
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
  queue.set(made);
  const offerNewest = offeringNewest(made);
  made.subscribe(() => {
    const uids = made.get().flatMap((each) => (isUnderWay(each) ? each.uid : []));
    hideUids(uids);
    showDeletions(made);
    offerNewest();
  });
  watchLeaving(made, ownerHere(context));
  return made;
}

/** Keeps the newest deletion of a queue that can be undone the one that the key would undo. */
function offeringNewest(made: DeletionQueue<DeletionTarget>): () => void {
  let offered: { readonly uid: string; readonly withdraw: () => void } | undefined;
  return () => {
    const uid = made.get().findLast(({ canUndo }) => canUndo)?.uid;
    if (uid === offered?.uid) return;
    offered?.withdraw();
    offered = uid === undefined ? undefined : { uid, withdraw: offerUndo(() => made.undo()) };
  };
}

const ignore = () => undefined;

/**
 * While a deletion can still be undone, the browser asks before the page is left. Leaving sends the pending ones; the
 * next page in this tab checks their outcome.
 */
function watchLeaving(made: DeletionQueue<DeletionTarget>, owner: string): void {
  window.addEventListener("beforeunload", (event) => {
    if (made.get().some(({ canUndo }) => canUndo)) event.preventDefault();
  });
  window.addEventListener("pagehide", () => {
    const targets = made.leave();
    if (targets.length === 0) return;
    keep({ owner, at: Date.now(), uids: targets.map(({ uid }) => uid), targets });
    for (const { uid, resource } of targets)
      call(resource.delete, { path: { uid }, keepalive: true }).catch(ignore);
  });
  // Restored from the back/forward cache.
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
    // Storage is full or blocked; the requests are sent anyway.
  }
}

function forget(): void {
  try {
    sessionStorage.removeItem(LEFT_KEY);
  } catch {
    // Storage is blocked: nothing is stored.
  }
}

/** Restores the deletions that the previous page in this tab sent when it was left. */
export function restoreDeletions(context: UndoContext): void {
  let left: Left | undefined;
  try {
    left = JSON.parse(sessionStorage.getItem(LEFT_KEY) ?? "null");
  } catch {
    // Unreadable: nothing to restore.
  }
  forget();
  if (left?.owner !== ownerHere(context) || Date.now() - left.at > RESTORE_WITHIN_MS) return hideUids([]);
  beginUse();
  deletions(context).restore(left.targets);
}

/** Sends pending deletions; resolves when they are answered, or after `timeoutMs`. */
export async function sendDeletions(timeoutMs: number): Promise<void> {
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, timeoutMs));
  await Promise.race([queue.get()?.flush(), timeout]);
}

/** A record in the form that the queue and the next page need. */
export const targetOf = (
  resource: DeletableCollection & { readonly noun: string },
  { uid, name }: { readonly uid: string; readonly name: string },
): DeletionTarget => ({ uid, name, noun: resource.noun, resource: plainResource(resource) });
