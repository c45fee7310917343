import { type ReactNode, useState } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { linkOptions, useParams, useRouteContext } from "@tanstack/react-router";

import { Document, written } from "~/ui/display/json-document";
import { AppLink } from "~/ui/layout/link";
import { Sheet } from "~/ui/overlay/sheet";
import { curlOf } from "~/api/client/curl";
import { useScope } from "~/frame/scope/scope";
import { paramToUid } from "~/frame/scope/uid-param";

import { type InspectorView, screenList } from "./record-actions";
import { requestsOf, type ShownRequest } from "./active-requests";
import { PlatformCommand } from "./commands";
import classes from "./requests.module.css";

/** The command to get a token for a machine; reads the token endpoint from the issuer's discovery document. */
const tokenLine = (issuer: string): string =>
  `TOKEN=$(curl -sS --user "$CLIENT_ID:$CLIENT_SECRET" --data grant_type=client_credentials \\
  "$(curl -sS '${issuer.replace(/\/$/, "")}/.well-known/openid-configuration' | jq -r .token_endpoint)" | jq -r .access_token)`;

/** The requests that produced the page, as commands to run elsewhere. None of them contains a token. */
function Requests({ onFollow }: { readonly onFollow: () => void }): ReactNode {
  const client = useQueryClient();
  const { config } = useRouteContext({ from: "__root__" });
  const scope = useScope();
  const uid = useParams({ strict: false, select: ({ uid: param }) => param });
  // A snapshot: the list must not change while the user reads it.
  const [{ screen, around }] = useState(() =>
    requestsOf(client.getQueryCache().findAll(), {
      list: screenList(),
      uid: uid === undefined ? scope.group : paramToUid(uid),
    }),
  );
  const list = (requests: readonly ShownRequest[]) => (
    <ol className={classes["list"]}>
      {requests.map(({ asked, note }) => {
        const command = curlOf(config.apiBaseUrl, asked);
        const { id, method, path, summary } = asked.endpoint;
        return (
          <li key={command}>
            <h4 className={classes["name"]}>{summary}</h4>
            <p className={classes["note"]}>
              <code>
                {method} {path}
              </code>
              {id === undefined ? null : (
                <>
                  {" \u00b7 "}
                  <AppLink target={linkOptions({ to: "/api", search: { op: id } })} onClick={onFollow}>
                    In the API explorer
                  </AppLink>
                </>
              )}
              {note === undefined ? null : ` \u00b7 ${note}`}
            </p>
            <Document text={command} what={`command: ${summary}`} />
            <PlatformCommand asked={asked} />
          </li>
        );
      })}
    </ol>
  );
  return (
    <>
      <p>
        The API calls behind this page. Set <code>TOKEN</code> to your own access token; yours is never shown
        here.
      </p>
      <section aria-labelledby="requests-screen">
        <h3 id="requests-screen" className={classes["heading"]}>
          This screen
        </h3>
        {list(screen)}
        <p className={classes["note"]}>
          If the response has a <code>nextPageToken</code>, add{" "}
          <code>{'--data-urlencode "page_token=$NEXT"'}</code> to get the next page.
        </p>
      </section>
      {around.length > 0 ? (
        <details>
          <summary className={classes["heading"]}>Other requests on this page ({around.length})</summary>
          {list(around)}
        </details>
      ) : null}
      <section aria-labelledby="requests-token">
        <h3 id="requests-token" className={classes["heading"]}>
          Get a token
        </h3>
        <p className={classes["note"]}>
          Needs jq and a client with the client-credentials grant. <code>TOKEN</code> expires after a few
          minutes.
        </p>
        <Document text={tokenLine(config.oidc.authority)} what="command: token" />
      </section>
    </>
  );
}

/** A side sheet with the page's requests or a record's JSON. */
export function InspectorSheet({
  behind,
  onClose,
}: {
  behind: InspectorView;
  onClose: () => void;
}): ReactNode {
  if (behind.show === "requests")
    return (
      <Sheet at="side" title="API requests" onClose={onClose}>
        <Requests onFollow={onClose} />
      </Sheet>
    );
  return (
    <Sheet
      at="side"
      title={
        <>
          JSON of <bdi>{behind.of}</bdi>
        </>
      }
      onClose={onClose}
    >
      <p>Raw API response</p>
      <Document text={written(behind.record)} what="JSON" whole />
    </Sheet>
  );
}
