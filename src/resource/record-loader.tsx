import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { one } from "~/api/queries/queries";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";

/** What every set of drawers is told, by a list and by the page of a record. */
export interface DrawersProps<D extends string, T> {
  /** What the address says is open. */
  readonly drawer: D | undefined;
  /** uid of the record that it is about. */
  readonly item: string | undefined;
  /** The same record as a list has it: enough to delete it, be it gone meanwhile. */
  readonly known?: T | undefined;
  readonly onClose: () => void;
  /** After it is gone, or was gone already. */
  readonly onDeleted: (uid: string) => void;
}

interface OpenedRecordProps<T> {
  /** Without one there is nothing to open. */
  readonly uid: string | undefined;
  readonly query: (uid: string) => ReturnType<typeof one<T>>;
  /** Serves instead of reading it, where that is good enough. */
  readonly known?: T | undefined;
  /** "identity". */
  readonly noun: string;
  readonly onClose: () => void;
  readonly children: (record: T) => ReactNode;
}

/** Reads the record that a drawer is about. A link may name one that no list has loaded, or that is gone. */
export function RecordLoader<T>({ uid, ...rest }: OpenedRecordProps<T>): ReactNode {
  // Each record has a form of its own.
  return uid === undefined ? null : <Reading key={uid} uid={uid} {...rest} />;
}

function Reading<T>(props: OpenedRecordProps<T> & { readonly uid: string }): ReactNode {
  const { uid, query, noun, onClose, children } = props;
  // A deleted record leaves its list before its question is closed: without the row it would be read, and not be found.
  const [first] = useState(props.known);
  const known = props.known ?? first;
  const { data, error } = useQuery({ ...query(uid), enabled: known === undefined });
  const found = known ?? data;
  if (found !== undefined) return children(found);
  if (!error) return null;
  return (
    <Unavailable noun={noun} onClose={onClose}>
      {errorFacts(error).message}
    </Unavailable>
  );
}

interface NotOpenedProps extends Pick<OpenedRecordProps<unknown>, "noun" | "onClose"> {
  /** Why. */
  readonly children: ReactNode;
}

/** Stands on the page in the place of a drawer that cannot be opened. */
export function Unavailable({ noun, onClose, children }: NotOpenedProps): ReactNode {
  const close = (
    <Button variant="default" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Notice tone="warning" role="alert" title={`The ${noun} could not be opened`} actions={close}>
      {children}
    </Notice>
  );
}
