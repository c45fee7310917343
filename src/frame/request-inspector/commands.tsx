import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import type { RequestInfo } from "platform-client/request-info";

import { curlOf } from "~/api/client/curl";
import { platformOf } from "~/api/client/platform-command";
import { Document } from "~/ui/display/json-document";
import { formatQuantity } from "~/ui/display/numbers";

import classes from "./requests.module.css";

/** A request as a command of `platform`, which has a sign-in of its own; nothing if that cannot make it. */
export function PlatformCommand({ asked }: { readonly asked: RequestInfo }): ReactNode {
  const command = platformOf(asked);
  return command === undefined ? null : (
    <Document text={command} what={`with platform: ${asked.endpoint.summary}`} />
  );
}

/** Maximum number of commands shown: to run more, the user needs a script. */
const SHOWN = 20;

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
