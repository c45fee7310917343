import { onDemand } from "../on-demand";
import type { PopoverPanelProps } from "./popover-panel";

/** Loaded when the pointer or the focus reaches a button that opens one. */
export const Popover = onDemand<PopoverPanelProps>(
  async () => (await import("./popover-panel")).PopoverPanel,
);
