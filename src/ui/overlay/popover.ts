import { onDemand } from "../on-demand";
import { loadLayers } from "./load-layers";
import type { PopoverPanelProps } from "./popover-panel";

/** Loaded when the pointer or the focus reaches a button that opens one. */
export const Popover = onDemand<PopoverPanelProps>(async () => (await loadLayers()).PopoverPanel);
