import type { ComponentType, ReactNode } from "react";

import type { CountedRecords, Item, Screens } from "~/frame/define";
import { Counted, DeleteRecord } from "~/frame/record/delete-record";
import { useCount } from "~/frame/record/use-count";

import { Unavailable, RecordLoader, type DrawersProps as Opened } from "./record-loader";

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

interface Parts<T extends Item, I> {
  readonly of: Screens<T, I>;
  readonly form: ComponentType<FormProps<T>>;
  /** The delete dialog, if not that of the screens' `deletion`. */
  readonly remove?: ComponentType<DeleteProps<T>>;
}

/** The form and the delete dialog of one resource, opened by the address. Loaded when the first one opens. */
export function Drawers<T extends Item, I>(props: DrawersProps<T> & Parts<T, I>): ReactNode {
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
        const asked = { record, onClose, onDeleted: () => onDeleted(record.uid) };
        return Remove ? <Remove {...asked} /> : <Delete of={screens} {...asked} />;
      }}
    </RecordLoader>
  );
}

/** The drawers of a resource that has no others than a form and a delete dialog. */
export const drawersOf =
  <T extends Item, I>(of: Screens<T, I>, form: ComponentType<FormProps<T>>): ComponentType<DrawersProps<T>> =>
  (props) => <Drawers {...props} of={of} form={form} />;

type DialogProps<T extends Item, I> = DeleteProps<T> & Pick<Parts<T, I>, "of">;

/** The dialog that the screens' `deletion` describes. */
function Delete<T extends Item, I>(props: DialogProps<T, I>): ReactNode {
  const { counts, consequence, typeName } = props.of.deletion;
  if (counts) return <DeleteWithOthers {...props} counts={counts} />;
  return <DeleteRecord {...props} consequence={consequence} typeName={typeName === "always"} />;
}

function DeleteWithOthers<T extends Item, I>({
  counts,
  ...props
}: DialogProps<T, I> & { readonly counts: CountedRecords }): ReactNode {
  const { uid } = props.record;
  const { list, query, what, link, ...words } = counts;
  const { consequence, typeName } = props.of.deletion;
  const found = useCount(list, query(uid), uid);
  const { count, pending } = found;
  return (
    <DeleteRecord
      {...props}
      consequence={consequence}
      typeName={
        typeName === "always" || (typeName !== undefined && (count === undefined || Number(count) > 0))
      }
      undecided={pending && typeName === "unless empty" ? `Still counting its ${what}` : undefined}
    >
      <Counted {...found} {...words} what={what} {...(link && { link: link(uid) })} />
    </DeleteRecord>
  );
}
