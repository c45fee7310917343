import type { ReactNode } from "react";

import type { Identity } from "~/contract/iam/identities";
import { Dash } from "~/ui/display/dash";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { Time } from "~/ui/display/time";

import { emailOrSubject, kindWord, lastSeen, matchesOf, nameOf } from "./words";
import classes from "./identities.module.css";
import { visible } from "./visible";

/** "never" is a fact about an identity, and a dash would read as one that is missing. */
export function LastSeen({ identity }: { identity: Identity }): ReactNode {
  const seen = lastSeen(identity);
  return seen === undefined ? <span className={classes["never"]}>never</span> : <Time value={seen} />;
}

/** Characters at the end that stay when there is no room for all: a subject begins like its neighbours. */
const TAIL = 22;

/** What recognises an identity, in one monospace line that is cut in its middle. */
export function Matches({ identity }: { identity: Identity }): ReactNode {
  const { text: matched, whole, note } = matchesOf(identity);
  if (matched === "") return <Dash />;
  const text = visible(matched);
  const letters = [...text];
  const head = letters.slice(0, -TAIL).join("");
  return (
    <span
      className={classes["matches"]}
      data-tip={whole === undefined ? (letters.length > TAIL ? text : undefined) : visible(whole)}
    >
      <code className={classes["head"]} dir="ltr">
        {head}
      </code>
      <code className={classes["tail"]} dir="ltr">
        {text.slice(head.length)}
      </code>
      {note ? <span className={classes["note"]}>{note}</span> : null}
    </span>
  );
}

const name: Column<Identity> = {
  id: "name",
  header: "Name",
  width: "minmax(9rem, 3fr)",
  sortField: "name",
  cell: nameOf,
};

const seen: Column<Identity> = {
  id: "seen",
  header: "Last seen",
  width: "8rem",
  sortField: "last_seen_time",
  sortFirst: "desc",
  hideBelow: 640,
  cell: (identity) => <LastSeen identity={identity} />,
  text: (identity) => lastSeen(identity) ?? "never",
};

export const machineColumns: readonly Column<Identity>[] = [
  name,
  { id: "kind", header: "Kind", width: "9.5rem", hideBelow: 760, cell: kindWord },
  {
    id: "matches",
    header: "Matches",
    width: "minmax(10rem, 5fr)",
    cell: (identity) => <Matches identity={identity} />,
    text: (identity) => {
      const { text, whole = text } = matchesOf(identity);
      return whole;
    },
  },
  seen,
  {
    id: "created",
    header: "Created",
    width: "8rem",
    sortField: "created_at",
    sortFirst: "desc",
    hideBelow: 880,
    cell: ({ createTime }) => <Time value={createTime} />,
    text: ({ createTime = "" }) => createTime,
  },
  {
    id: "description",
    header: "Description",
    width: "minmax(8rem, 3fr)",
    optional: true,
    cell: ({ description }) => (description ? <bdi>{description}</bdi> : <Dash />),
    text: ({ description = "" }) => description,
  },
  uidColumn,
];

export const peopleColumns: readonly Column<Identity>[] = [
  name,
  {
    id: "email",
    header: "Email or subject",
    width: "minmax(10rem, 3fr)",
    cell: (identity) => <bdi>{emailOrSubject(identity)}</bdi>,
    text: emailOrSubject,
  },
  {
    id: "issuer",
    header: "Issuer",
    width: "minmax(10rem, 3fr)",
    hideBelow: 760,
    cell: ({ claimMatch }) => (claimMatch?.issuer ? <code dir="ltr">{claimMatch.issuer}</code> : <Dash />),
    text: ({ claimMatch }) => claimMatch?.issuer ?? "",
  },
  seen,
  uidColumn,
];
