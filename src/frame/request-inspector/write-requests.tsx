import { useState, type ReactNode } from "react";

import type { RequestInfo } from "platform-client/request-info";

import { onDemand } from "~/ui/on-demand";

import classes from "./requests.module.css";

/** Nobody needs it before it is unfolded. */
export const Commands = onDemand(async () => (await import("./commands")).Commands);

interface WriteRequestsProps {
  /** The requests that would be sent, in that order. */
  readonly requests: () => readonly RequestInfo[];
  /** Additional information, in a sentence. */
  readonly note?: string | undefined;
}

/** The requests that a button would send, as commands to run elsewhere; collapsed by default. */
export function WriteRequests({ requests, note }: WriteRequestsProps): ReactNode {
  return <Folded>{() => <Commands requests={requests()} note={note} />}</Folded>;
}

/** Renders its content only while open. */
export function Folded({ children }: { readonly children: () => ReactNode }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes["folded"]} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes["fold"]}>Show request</summary>
      {open ? children() : null}
    </details>
  );
}
