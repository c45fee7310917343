import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";

import type { one } from "~/api/queries/queries";
import "~/ui/controls/button-styles";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";

/** Props of every set of drawers, from a list or a record page. */
export interface DrawersProps<D extends string, T> {
  /** The open drawer, from the address. */
  readonly drawer: D | undefined;
  /** uid of its record. */
  readonly item: string | undefined;
  /** The same record from the list: enough to delete it, even if it is gone meanwhile. */
  readonly known?: T | undefined;
  readonly onClose: () => void;
  /** Called after the record was deleted, or if it was already gone. */
  readonly onDeleted: (uid: string) => void;
}

interface OpenedRecordProps<T> {
  /** Undefined if there is nothing to open. */
  readonly uid: string | undefined;
  readonly query: (uid: string) => ReturnType<typeof one<T>>;
  /** Used instead of a request, if that is good enough. */
  readonly known?: T | undefined;
  /** "identity". */
  readonly noun: string;
  readonly onClose: () => void;
  readonly children: (record: T) => ReactNode;
}

/** Loads the record of a drawer. A link can name one that no list has loaded, or that is gone. */
export function RecordLoader<T>({ uid, ...rest }: OpenedRecordProps<T>): ReactNode {
  // The key gives each record its own form.
  return uid === undefined ? null : <Reading key={uid} uid={uid} {...rest} />;
}

function Reading<T>(props: OpenedRecordProps<T> & { readonly uid: string }): ReactNode {
  const { uid, query, noun, onClose, children } = props;
  // A deleted record leaves its list before its dialog closes: without the row, a request would find it missing.
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
  /** The reason. */
  readonly children: ReactNode;
}

/** Shown on the page in place of a drawer that cannot be opened. */
export function Unavailable({ noun, onClose, children }: NotOpenedProps): ReactNode {
  const close = (
    <Button variant="default" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Notice tone="warning" role="alert" title={`The ${noun} couldn't be opened`} actions={close}>
      {children}
    </Notice>
  );
}
