import type { ReactNode } from "react";

import type { Identity } from "~/contract/iam/identities";
import { Dash } from "~/kit/dash";
import type { Column } from "~/kit/list/types";
import { shorten } from "~/kit/shorten";
import { Time } from "~/kit/time";

import { emailOrSubject, kindWord, lastSeen, matchesOf } from "./-identity-words";
import classes from "./identities.module.css";

/** "never" is a fact about an identity, and a dash would read as one that is missing. */
export function LastSeen({ identity }: { identity: Identity }): ReactNode {
  const seen = lastSeen(identity);
  return seen === undefined ? <span className={classes["never"]}>never</span> : <Time value={seen} />;
}

/** What recognises an identity, in one monospace line. */
export function Matches({ identity }: { identity: Identity }): ReactNode {
  const { text, note } = matchesOf(identity);
  if (text === "") return <Dash />;
  return (
    <>
      <code dir="ltr">{text}</code>
      {note ? <span className={classes["note"]}> {note}</span> : null}
    </>
  );
}

const name: Column<Identity> = {
  id: "name",
  header: "Name",
  width: "minmax(10rem, 3fr)",
  sortField: "name",
  cell: (identity) => identity.name || shorten(identity.uid),
};

const seen: Column<Identity> = {
  id: "seen",
  header: "Last seen",
  width: "8.5rem",
  sortField: "last_seen_time",
  sortFirst: "desc",
  hideBelow: 640,
  cell: (identity) => <LastSeen identity={identity} />,
};

export const machineColumns: readonly Column<Identity>[] = [
  name,
  { id: "kind", header: "Kind", width: "8rem", hideBelow: 760, cell: kindWord },
  { id: "matches", header: "Matches", width: "minmax(10rem, 4fr)", cell: (identity) => <Matches identity={identity} /> },
  seen,
  {
    id: "created",
    header: "Created",
    width: "8.5rem",
    sortField: "created_at",
    sortFirst: "desc",
    hideBelow: 880,
    cell: ({ createTime }) => <Time value={createTime} />,
  },
];

export const peopleColumns: readonly Column<Identity>[] = [
  name,
  {
    id: "email",
    header: "Email or subject",
    width: "minmax(10rem, 3fr)",
    cell: (identity) => <bdi>{emailOrSubject(identity)}</bdi>,
  },
  {
    id: "issuer",
    header: "Issuer",
    width: "minmax(10rem, 3fr)",
    hideBelow: 760,
    cell: ({ claimMatch }) => (claimMatch?.issuer ? <code dir="ltr">{claimMatch.issuer}</code> : <Dash />),
  },
  seen,
];
