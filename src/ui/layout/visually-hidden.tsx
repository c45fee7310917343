import type { ReactNode } from "react";

/** Text only for screen readers. */
export function VisuallyHidden({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <span id={id} className="pc-visually-hidden">
      {children}
    </span>
  );
}
