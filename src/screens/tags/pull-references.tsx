import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { CopyButton } from "~/ui/display/copy-button";
import { Dash } from "~/ui/display/dash";
import { Notice } from "~/ui/feedback/notice";
import { CLIENTS } from "~/features/registry/pull-reference";

import classes from "./tags.module.css";
import { referenceNames, referencesOf } from "./references";

const BARE = { id: "bare", label: "Reference", command: (reference: string) => reference };

/** How to pull a tag, by its name and by its digest, for each program; every command names what it pulls. */
export function PullReferences({ tag }: { readonly tag: Tag }): ReactNode {
  const { registryHost } = useRouteContext({ from: "__root__" }).config;
  const { data: names } = useQuery({
    queryKey: ["tags", "reference names", parentOf(tag.uid)],
    queryFn: ({ client }) => referenceNames(client, tag),
  });
  if (names === undefined) return <p className={classes["quiet"]}>Loading…</p>;
  const references = referencesOf(tag, names, registryHost);
  if (typeof references === "string")
    return <Notice title="There is no reference to copy">{references}</Notice>;
  const { byTag, byDigest } = references;
  const hosted = registryHost !== undefined;
  const clients = hosted ? [BARE, ...CLIENTS] : [BARE];
  return (
    <>
      {hosted ? null : (
        <Notice title="The registry host is not configured">
          These references lack it. Commands appear once registryHost stands in config.json.
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
          {clients.map(({ id, label, command }) => (
            <tr key={id}>
              <th scope="row" className={classes["client"]}>
                {label}
              </th>
              <td>{byTag ? <Command text={command(byTag)} what={`${label} by tag`} /> : <Dash />}</td>
              <td>
                {byDigest ? <Command text={command(byDigest)} what={`${label} by digest`} /> : <Dash />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const Command = ({ text, what }: { text: string; what: string }): ReactNode => (
  <span className={classes["command"]}>
    <code data-tip={text}>{text}</code>
    <CopyButton value={text} what={what} />
  </span>
);
