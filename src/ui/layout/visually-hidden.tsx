import type { ReactNode } from "react";

/** Text for screen readers alone. */
export function VisuallyHidden({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <span id={id} className="pc-visually-hidden">
      {children}
    </span>
  );
}
