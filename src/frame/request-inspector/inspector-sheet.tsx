import type { ReactNode } from "react";

import { Document, written } from "~/ui/display/json-document";
import { Sheet } from "~/ui/overlay/sheet";

import type { InspectorView } from "./record-actions";
import { Requests } from "./requests";

/** A side sheet with the page's requests or a record's JSON. */
export function InspectorSheet({
  behind,
  onClose,
}: {
  behind: InspectorView;
  onClose: () => void;
}): ReactNode {
  if (behind.show === "requests")
    return (
      <Sheet at="side" title="API requests" onClose={onClose}>
        <Requests />
      </Sheet>
    );
  return (
    <Sheet
      at="side"
      title={
        <>
          JSON of <bdi>{behind.of}</bdi>
        </>
      }
      onClose={onClose}
    >
      <p>Raw API response</p>
      <Document text={written(behind.record)} what="JSON" whole />
    </Sheet>
  );
}
