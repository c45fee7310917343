import type { ComponentType, ReactNode } from "react";

import { Unavailable, RecordLoader, type DrawersProps as Opened } from "./record-loader";

import type { Item, Screens } from "~/frame/define";

export interface DrawersProps<T> extends Opened<string, T> {
  /** uid of the group that a new record belongs to. */
  readonly scope?: string | undefined;
}

export interface FormProps<T> {
  /** The record to edit; if absent, the form creates one. */
  readonly record?: T | undefined;
  /** uid of the group that a new record belongs to, unless the user chooses another. */
  readonly scope?: string | undefined;
  readonly onClose: () => void;
}

export interface DeleteProps<T> {
  readonly record: T;
  readonly onClose: () => void;
  /** Called after the record was deleted, or if it was already gone. */
  readonly onDeleted: () => void;
}

interface Parts<T> {
  readonly form: ComponentType<FormProps<T>>;
  readonly remove: ComponentType<DeleteProps<T>>;
}

/** The form and the delete dialog of one resource, opened by the address. Loaded when the first one opens. */
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
        // A link can open a drawer that no menu offers.
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
