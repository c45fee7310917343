import { useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import type { RequestInfo } from "platform-client/request-info";

import { curlOf } from "~/api/client/curl";
import { Document } from "~/ui/display/json-document";
import { formatQuantity } from "~/ui/display/numbers";

import { PlatformCommand } from "./platform-command";
import classes from "./requests.module.css";

/** Maximum number of commands shown: to run more, the user needs a script. */
const SHOWN = 20;

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

interface CommandsProps {
  readonly requests: readonly RequestInfo[];
  readonly note: string | undefined;
}

export function Commands({ requests, note }: CommandsProps): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  if (requests.length === 0) return <p className={classes["note"]}>Nothing to send: nothing has changed.</p>;
  const left = requests.length - SHOWN;
  return (
    <>
      <p className={classes["note"]}>
        Set <code>TOKEN</code> to your own access token; yours is never shown here, and neither are secrets.
      </p>
      {note === undefined ? null : <p className={classes["note"]}>{note}</p>}
      <ol className={classes["list"]}>
        {requests.slice(0, SHOWN).map((asked, index) => (
          <li key={index}>
            <Document
              text={curlOf(config.apiBaseUrl, asked, config.fieldMaskCase)}
              what={`command: ${asked.endpoint.summary}`}
            />
            <PlatformCommand asked={asked} />
          </li>
        ))}
      </ol>
      {left > 0 ? (
        <p className={classes["note"]}>
          And {formatQuantity(left, "more of the same kind", "more of the same kind")}.
        </p>
      ) : null}
    </>
  );
}
