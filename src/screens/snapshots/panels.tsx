import type { ReactNode } from "react";

import { CompareSnapshot } from "./compare-panel";
import { SaveSnapshot, type SaveSnapshotProps } from "./save-panel";

/** What can be done on the page. */
export const SnapshotPanels = (props: SaveSnapshotProps): ReactNode => (
  <>
    {/* Of another scope nothing that was read before is shown. */}
    <SaveSnapshot key={props.scope?.uid} {...props} />
    <CompareSnapshot service={props.service} />
  </>
);
