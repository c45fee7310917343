import type { ReactNode } from "react";

import type { Definition } from "~/ui/display/definition-list";
import { Time } from "~/ui/display/time";
import { frameParts, type RecordKey } from "~/frame/parts";

/** The history of a record on its page; nothing if the service keeps none. */
export function RecordHistory({ record }: { readonly record: RecordKey }): ReactNode {
  const { RecordHistory: Registered } = frameParts();
  return Registered ? <Registered record={record} /> : null;
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
