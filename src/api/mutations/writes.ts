import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";

import type { ApiError } from "../client/errors";
import type { UnconfirmedCreate, Made } from "./unconfirmed-create";
import { invalidateDependents, remove, upsert, refreshDerived, refreshLists } from "./patch";
import { sendCreate, type Creatable } from "./send-create";
import { sendDelete, type Deletable, type Deleted } from "./send-delete";
import { sendReplace, type Replaceable, type Replacement } from "./send-replace";
import { sendUpdate, type Updatable, type Update } from "./send-update";

interface Collection {
  readonly collection: string;
  readonly affects: readonly string[];
}

interface Item extends Made {
  readonly updateTime?: string | undefined;
}

/**
 * Creates a record under a parent ("" for a root group); afterwards the lists on screen read one page anew.
 * When the answer is lost the console looks whether it had worked: saving twice never makes two.
 */
export function useCreate<T extends Item, I>(resource: Collection & Creatable<T, I>) {
  const client = useQueryClient();
  const { collection, affects } = resource;
  const own = useRef<UnconfirmedCreate>(undefined);
  return useMutation<T, ApiError, { parent: string; body: I }>({
    mutationFn: (asked) => sendCreate(client, resource, asked, own),
    onSuccess: (record) => {
      upsert(client, collection, record);
      refreshLists(client, collection, record.uid);
      void refreshDerived(client, collection);
      invalidateDependents(client, affects);
    },
  });
}

/** Puts a record under its name, be there one or not; afterwards as after a create. */
export function useReplace<T extends Item, I extends object, F>(resource: Collection & Replaceable<T, I, F>) {
  const client = useQueryClient();
  const { collection, affects } = resource;
  return useMutation<T, ApiError, Replacement<I, F>>({
    mutationFn: (asked) => sendReplace(resource, asked),
    onSuccess: (record) => {
      upsert(client, collection, record);
      refreshLists(client, collection, record.uid);
      void refreshDerived(client, collection);
      invalidateDependents(client, affects);
    },
  });
}

/**
 * Changes the masked fields of a record, then that row wherever it is shown, in its place. When the answer is lost the
 * console looks whether it had worked; what somebody else changed meanwhile is told before it is overwritten.
 */
export function useUpdate<T extends Item, I>(resource: Collection & Updatable<T, I>) {
  const client = useQueryClient();
  const { collection, affects } = resource;
  const told = useRef<T>(undefined);
  return useMutation<T, ApiError, Update<T, I>>({
    mutationFn: (asked) => sendUpdate(resource, asked, told),
    onSuccess: (record) => {
      told.current = undefined;
      upsert(client, collection, record);
      void refreshDerived(client, collection);
      invalidateDependents(client, affects);
    },
    onError: ({ current }) => {
      if (current) upsert(client, collection, current as T);
    },
  });
}

/** Deletes a record, then its row wherever it is shown. One that is gone already counts as deleted (contract C12). */
export function useDelete(resource: Collection & Deletable) {
  const client = useQueryClient();
  const { collection, affects } = resource;
  return useMutation<Deleted, ApiError, { uid: string; endsAccess?: boolean }>({
    mutationFn: ({ uid, endsAccess }) => sendDelete(resource, uid, { endsAccess }),
    onSuccess: (_how, { uid }) => {
      remove(client, collection, uid);
      void refreshDerived(client, collection);
      invalidateDependents(client, affects);
    },
  });
}
