import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { CLIENTS } from "~/features/registry/pull-reference";
import { Code } from "~/ui/display/code";
import { Dash } from "~/ui/display/dash";
import { Notice } from "~/ui/feedback/notice";

import { referenceNames, referencesOf } from "./references";
import classes from "./styles.module.css";

const BARE = { id: "bare", label: "Reference", command: (reference: string) => reference };

/** How to pull a tag, by its name and by its digest, for each program. */
export function PullReferences({ tag }: { readonly tag: Tag }): ReactNode {
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  const { data: names } = useQuery({
    queryKey: ["tags", "reference names", parentOf(tag.uid)],
    queryFn: ({ client }) => referenceNames(client, tag.uid),
  });
  if (names === undefined) return <p className={classes["quiet"]}>Loading…</p>;
  const references = referencesOf(tag, names, registryHost);
  if (typeof references === "string") return <Notice title="No pull command">{references}</Notice>;
  const hosted = registryHost !== undefined;
  return (
    <>
      {hosted ? null : (
        <Notice title="Registry address not set">
          Pull commands appear when an admin sets <code>registryHost</code> in config.json.
        </Notice>
      )}
      <table className={`${classes["table"]} ${classes["pull"]}`}>
        <thead>
          <tr>
            <th scope="col" className={classes["client"]}>
              <span className="pc-visually-hidden">Program</span>
            </th>
            <th scope="col">By tag</th>
            <th scope="col">By digest</th>
          </tr>
        </thead>
        <tbody>
          {(hosted ? [BARE, ...CLIENTS] : [BARE]).map(({ id, label, command }) => (
            <tr key={id}>
              <th scope="row" className={classes["client"]}>
                {label}
              </th>
              {(["byTag", "byDigest"] as const).map((by) => {
                const reference = references[by];
                const what = `${label} by ${by === "byTag" ? "tag" : "digest"}`;
                return (
                  <td key={by}>
                    {reference ? <Code oneLine value={command(reference)} what={what} /> : <Dash />}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
