import type { ReactNode } from "react";

import { CheckSignature } from "./check-signature";
import { CompareFiles } from "./compare-files";
import { CompareSnapshot } from "./compare-panel";
import { SaveSnapshot, type SaveSnapshotProps } from "./save-panel";

/** The page's actions: save, compare with now or with each other, check a signature. */
export const SnapshotPanels = (props: SaveSnapshotProps): ReactNode => (
  <>
    {/* Keyed by scope, so that a new scope doesn't show what was read before. */}
    <SaveSnapshot key={props.scope?.uid} {...props} />
    <CompareSnapshot service={props.service} />
    <CompareFiles />
    {props.signs ? <CheckSignature service={props.service} /> : null}
  </>
);
