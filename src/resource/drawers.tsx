import type { ComponentType, ReactNode } from "react";

import { Unavailable, RecordLoader, type DrawersProps as Opened } from "./record-loader";

import type { Item, Screens } from "./define";

export interface DrawersProps<T> extends Opened<string, T> {
  /** uid of the group that a new record belongs to. */
  readonly scope?: string | undefined;
}

export interface FormProps<T> {
  /** The record to change; without one the form creates one. */
  readonly record?: T | undefined;
  /** uid of the group that a new record belongs to, unless the person says otherwise. */
  readonly scope?: string | undefined;
  readonly onClose: () => void;
}

export interface DeleteProps<T> {
  readonly record: T;
  readonly onClose: () => void;
  /** After it is gone, or was gone already. */
  readonly onDeleted: () => void;
}

interface Parts<T> {
  readonly form: ComponentType<FormProps<T>>;
  readonly remove: ComponentType<DeleteProps<T>>;
}

/** The form and the question of one resource, opened by the address. Loaded with the first of them. */
export function Drawers<T extends Item, I>(
  props: DrawersProps<T> & Parts<T> & { readonly of: Screens<T, I> },
): ReactNode {
  const { of: screens, drawer, item, known, scope, onClose, onDeleted, form: Form, remove: Remove } = props;
  if (drawer === "create") return <Form scope={scope} onClose={onClose} />;
  if (drawer !== "edit" && drawer !== "delete") return null;
  const { noun } = screens.resource;
  return (
    <RecordLoader
      noun={noun}
      uid={item}
      query={screens.record}
      known={drawer === "delete" ? known : undefined}
      onClose={onClose}
    >
      {(record) => {
        // A link may ask for what no menu offers.
        const locked = screens.locked(record);
        if (locked !== undefined)
          return (
            <Unavailable noun={noun} onClose={onClose}>
              {locked}.
            </Unavailable>
          );
        if (drawer === "edit") return <Form record={record} onClose={onClose} />;
        return <Remove record={record} onClose={onClose} onDeleted={() => onDeleted(record.uid)} />;
      }}
    </RecordLoader>
  );
}
