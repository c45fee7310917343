import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";

import { ConfirmDeletion } from "./confirm-deletion";
import type { DeleteManyOptions } from "./use-delete-many";
import type { ActsProps } from "./use-selectable";

/** A button that deletes the selected records, after those that a list has besides. */
export function DeletionActs<T extends { readonly uid: string }>(
  props: ActsProps<T> & { readonly of: DeleteManyOptions<T> },
): ReactNode {
  const { records, onStarted, of } = props;
  const { one, many, More } = of;
  const [asking, setAsking] = useState(false);
  return (
    <>
      {More ? <More records={records} onStarted={onStarted} /> : null}
      <Button color="danger" variant="light" onClick={() => setAsking(true)}>
        Delete {formatQuantity(records.length, one, many)}
      </Button>
      {asking && records.length > 0 ? (
        <ConfirmDeletion
          {...of}
          records={records}
          onClose={() => setAsking(false)}
          onStarted={() => {
            setAsking(false);
            onStarted();
          }}
        />
      ) : null}
    </>
  );
}
