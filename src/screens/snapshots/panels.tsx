import type { ReactNode } from "react";

import { CompareFiles } from "./compare-files";
import { CompareSnapshot } from "./compare-panel";
import { SaveSnapshot, type SaveSnapshotProps } from "./save-panel";

/** The page's actions: save, and compare with now or with each other. */
export const SnapshotPanels = (props: SaveSnapshotProps): ReactNode => (
  <>
    {/* Keyed by scope, so that a new scope doesn't show what was read before. */}
    <SaveSnapshot key={props.scope?.uid} {...props} />
    <CompareSnapshot service={props.service} />
    <CompareFiles />
  </>
);
