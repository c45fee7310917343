import type { ReactNode } from "react";

/** The three dots of a menu, as one path: every row has them. `size` in px. */
export const MoreIcon = ({ size }: { readonly size: number }): ReactNode => (
  <svg
    aria-hidden
    width={size}
    height={size}
    viewBox="0 0 24 24"
    stroke="currentColor"
    strokeWidth={3.75}
    strokeLinecap="round"
  >
    <path d="M5 12h.01M12 12h.01M19 12h.01" />
  </svg>
);
