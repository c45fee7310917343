/** What opens over a page: one chunk, which loads on the first interaction. */
export { Toasts, showToast } from "../feedback/toasts";
export { ExactCopies } from "../display/exact-copy";
export { ConfirmDeleteDialog } from "./confirm-delete-dialog";
export { MenuList } from "./menu-list";
export { PopoverPanel } from "./popover-panel";
export { TooltipLayer } from "./tooltip-layer";
