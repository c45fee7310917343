import type { ReactNode } from "react";
import { encode } from "uqr";

import classes from "./qr.module.css";

/** Renders a QR code as a single path, dark on light in both color schemes, as scanners expect. */
export function QrCode({ text }: { readonly text: string }): ReactNode {
  const { data, size } = encode(text, { border: 3 });
  const path = data
    .flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <svg
      className={classes["qr"]}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code of the link"
    >
      <path d={path} />
    </svg>
  );
}
