import { useMutation, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import type { ApiError } from "platform-client/errors";
import { omitPaths, type Behavior } from "platform-contract/behavior";

import { invalidateDependents, refreshDerived, refreshLists, remove, upsert } from "./patch";
import { sendCreate, type Creatable, type Creation } from "./send-create";
import { sendDelete, type Deletable, type Deleted } from "./send-delete";
import { sendReplace, type Replaceable, type Replacement } from "./send-replace";
import { sendUpdate, type Updatable, type Update } from "./send-update";
import type { Created, UnconfirmedCreate } from "./unconfirmed-create";

interface Collection {
  readonly collection: string;
  readonly affects: readonly string[];
}

/** The part of a contract that says which fields only one response has. */
interface Answered {
  readonly behavior?: Pick<Behavior, "inputOnly" | "shownOnce">;
}

interface Item extends Created {
  readonly updateTime?: string | undefined;
}

/** Refreshes what a write can change other than the lists and the record itself. */
function refreshRest(client: QueryClient, { collection, affects }: Collection): void {
  void refreshDerived(client, collection);
  invalidateDependents(client, affects);
}

function showCreated(client: QueryClient, resource: Collection, record: Item): void {
  upsert(client, resource.collection, record, true);
  refreshLists(client, resource.collection, record.uid);
  refreshRest(client, resource);
}

/**
 * Creates a record under a parent ("" for a root group), then refetches one page of the lists on screen. If there is no
 * response, checks whether it worked: saving twice never creates two. Fields shown only in this response go to the
 * caller and are not stored. `onDuplicate` gets a second record that the browser made by sending the request again.
 */
export function useCreate<T extends Item, I>(
  resource: Collection & Creatable<T, I> & Answered,
  onDuplicate?: (duplicate: T) => void,
) {
  const client = useQueryClient();
  const own = useRef<UnconfirmedCreate>(undefined);
  const { shownOnce = [] } = resource.behavior ?? {};
  return useMutation<T, ApiError, Creation<I>>({
    mutationFn: (request) => sendCreate(client, resource, request, own, onDuplicate),
    onSuccess: (record) =>
      showCreated(client, resource, omitPaths(record as T & Record<string, unknown>, shownOnce)),
    ...(shownOnce.length > 0 && { gcTime: 0 }),
  });
}

/** Creates a record, or replaces the one of the same name. */
export function useReplace<T extends Item, I extends object, F>(resource: Collection & Replaceable<T, I, F>) {
  const client = useQueryClient();
  return useMutation<T, ApiError, Replacement<I, F>>({
    mutationFn: (request) => sendReplace(resource, request),
    onSuccess: (record) => showCreated(client, resource, record),
  });
}

/**
 * Changes the masked fields of a record, then its row in every list, in place. If there is no response, checks whether
 * it worked; reports a change by someone else before overwriting it.
 */
export function useUpdate<T extends Item, I>(resource: Collection & Updatable<T, I>) {
  const client = useQueryClient();
  const lastSeen = useRef<T>(undefined);
  return useMutation<T, ApiError, Update<T, I>>({
    mutationFn: (request) => sendUpdate(resource, request, lastSeen),
    onSuccess: (record) => {
      lastSeen.current = undefined;
      upsert(client, resource.collection, record);
      refreshRest(client, resource);
    },
    onError: ({ current }) => {
      if (current) upsert(client, resource.collection, current as T);
    },
  });
}

/** Deletes a record, then its row in every list. One that is already gone counts as deleted. */
export function useDelete(resource: Collection & Deletable) {
  const client = useQueryClient();
  return useMutation<
    Deleted,
    ApiError,
    { uid: string; endsAccess?: boolean; justification?: string | undefined }
  >({
    mutationFn: ({ uid, ...options }) => sendDelete(resource, uid, options),
    onSuccess: (_deleted, { uid }) => {
      remove(client, resource.collection, uid);
      refreshRest(client, resource);
    },
  });
}
