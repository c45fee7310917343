import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "./button-styles";

interface StartStopProps {
  readonly running: boolean;
  /** It has run, and something else is the next step. */
  readonly again?: boolean;
  readonly onStart: () => void;
  readonly onStop: () => void;
  /** "Preview": what it starts. */
  readonly children: string;
}

/** Starts something that takes a while, and stops it: one button for both, so that it keeps the focus when pressed. */
export const StartStop = ({ running, again, onStart, onStop, children }: StartStopProps): ReactNode => (
  <Button variant={running || again ? "default" : "filled"} onClick={running ? onStop : onStart}>
    {running ? "Stop" : children}
  </Button>
);
