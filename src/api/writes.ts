import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import type { Endpoint } from "~/contract/endpoint";
import type { ListAnswer, ListQuery } from "~/contract/resource";

import { call } from "./client";
import { ApiError } from "./errors";
import { findOutcome, isResend, type LostCreate } from "./lost-create";
import { affect, dropRecord, putRecord, refreshDerived, refreshLists } from "./patch";

interface Collection {
  readonly collection: string;
  readonly affects: readonly string[];
}

interface Item {
  readonly uid: string;
  readonly createTime?: string | undefined;
}

type Creatable<T, I> = Collection & {
  readonly list: Endpoint<ListQuery, undefined, ListAnswer<T>>;
  readonly create: Endpoint<object, I, T>;
};
type Updatable<T, I> = Collection & {
  readonly get: Endpoint<object, undefined, T>;
  readonly update: Endpoint<{ updateMask?: string | undefined }, Partial<I>, T>;
};
type Deletable = Collection & { readonly delete: Endpoint<object, undefined, undefined> };

/**
 * Creates a record under a parent ("" for a root group); afterwards the lists on screen read their first page anew.
 * After an answer that was lost, sending the same again first looks whether it had worked: saving twice never makes two.
 */
export function useCreate<T extends Item, I>(resource: Creatable<T, I>) {
  const client = useQueryClient();
  const { collection, list, create, affects } = resource;
  const lost = useRef<LostCreate>(undefined);
  return useMutation<T, ApiError, { parent: string; body: I }>({
    mutationFn: async ({ parent, body }) => {
      const earlier = isResend(lost.current, parent, body) ? lost.current : undefined;
      const made = earlier && (await findOutcome(list, earlier));
      if (made) return made;
      const since = earlier?.since ?? Date.now();
      try {
        return await call(create, { path: { parent }, body });
      } catch (error) {
        const unanswered = error instanceof ApiError && error.kind !== "refused";
        lost.current = unanswered ? { parent, body, since } : undefined;
        if (unanswered) error.message += " It may have been created all the same: trying again looks first.";
        throw error;
      }
    },
    onSuccess: (record) => {
      putRecord(client, collection, record);
      refreshLists(client, collection, record.uid);
      void refreshDerived(client, collection);
      affect(client, affects);
    },
  });
}

/** Changes the masked fields (camelCase paths) of a record, then that row wherever it is shown, in its place. */
export function useUpdate<T extends Item, I>(resource: Updatable<T, I>) {
  const client = useQueryClient();
  const { collection, get, update, affects } = resource;
  return useMutation<T, ApiError, { uid: string; body: Partial<I>; mask: readonly string[] }>({
    mutationFn: ({ uid, body, mask }) =>
      // An empty mask would mean every field of the body (contract 0.8): nothing to change is a read.
      mask.length === 0
        ? call(get, { path: { uid } })
        : call(update, { path: { uid }, query: { updateMask: mask.join(",") }, body }),
    onSuccess: (record) => {
      putRecord(client, collection, record);
      void refreshDerived(client, collection);
      affect(client, affects);
    },
  });
}

/** Deletes a record, then its row wherever it is shown. One that is gone already counts as deleted (contract C12). */
export function useDelete(resource: Deletable) {
  const client = useQueryClient();
  const { collection, delete: endpoint, affects } = resource;
  return useMutation<void, ApiError, { uid: string }>({
    mutationFn: async ({ uid }) => {
      try {
        await call(endpoint, { path: { uid } });
      } catch (error) {
        if (!(error instanceof ApiError && error.kind === "refused" && error.code === "NOT_FOUND"))
          throw error;
      }
    },
    onSuccess: (_nothing, { uid }) => {
      dropRecord(client, collection, uid);
      void refreshDerived(client, collection);
      affect(client, affects);
    },
  });
}
