import type { ReactNode } from "react";

import styles from "./palette.module.css";

/** The keys of the palette, for who has a keyboard; a screen reader says them by the roles. */
export const PaletteKeys = (): ReactNode => (
  <span className={styles["keys"]} aria-hidden="true">
    <span>
      <kbd>↑</kbd> <kbd>↓</kbd> to move
    </span>
    <span>
      <kbd>Enter</kbd> to open
    </span>
    <span>
      <kbd>Esc</kbd> to close
    </span>
  </span>
);
