import { useMedia } from "~/ui/layout/use-media";

/** True if there is room for the navigation next to the page: 992 px at the default font size (in em, so it scales). */
export const useWide = (): boolean => useMedia("(min-width: 62em)");
