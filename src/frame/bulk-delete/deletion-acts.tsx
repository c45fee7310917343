import type { ReactNode } from "react";

import { formatQuantity } from "~/ui/display/numbers";

import { ActButton } from "./act-button";
import { ConfirmDeletion } from "./confirm-deletion";
import type { DeleteManyOptions } from "./use-delete-many";
import type { ActsProps } from "./use-selectable";

/** A button that deletes the selected records, after those that a list has besides. */
export function DeletionActs<T extends { readonly uid: string }>(
  props: ActsProps<T> & { readonly of: DeleteManyOptions<T> },
): ReactNode {
  const { of, ...selected } = props;
  const { one, many, More } = of;
  const { records } = selected;
  return (
    <>
      {More ? <More {...selected} /> : null}
      <ActButton
        {...selected}
        danger
        dialog={(ends) => <ConfirmDeletion {...of} records={records} {...ends} />}
      >
        Delete {formatQuantity(records.length, one, many)}
      </ActButton>
    </>
  );
}
