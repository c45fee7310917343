import type { ComponentProps, ReactNode } from "react";

import type { Definition } from "~/ui/display/definition-list";
import { Time } from "~/ui/display/time";
import { frameParts, type FrameParts, type RecordKey } from "~/frame/parts";

/** The history of a record on its page; nothing if the service keeps none. */
export function RecordHistory({ record }: { readonly record: RecordKey }): ReactNode {
  const { RecordHistory: Registered } = frameParts();
  return Registered ? <Registered record={record} /> : null;
}

/** A button to who had access to a group, or to the roles of an identity, on a date. */
export function OnADate({ about }: ComponentProps<FrameParts["OnADate"]>): ReactNode {
  const { OnADate: Registered } = frameParts();
  return Registered ? <Registered about={about} /> : null;
}

/** A button that makes a proof of what the log says; nothing if the service keeps none. */
export function MakeProof(props: ComponentProps<FrameParts["MakeProof"]>): ReactNode {
  const { MakeProof: Registered } = frameParts();
  return Registered ? <Registered {...props} /> : null;
}

interface ChangedProps {
  readonly record: RecordKey;
  readonly time: string | undefined;
}

function Changed({ record, time }: ChangedProps): ReactNode {
  const { ChangedBy } = frameParts();
  return (
    <>
      <Time value={time} absent="never" />{" "}
      {ChangedBy && time !== undefined ? <ChangedBy record={record} /> : null}
    </>
  );
}

/** The fact that says when a record was last changed, and by whom. */
export const updatedFact = (
  collection: string,
  record: { readonly uid: string; readonly updateTime?: string | undefined } | undefined,
): Definition => ({
  term: "Updated",
  value: record && <Changed record={{ collection, uid: record.uid }} time={record.updateTime} />,
});
