import { ListFilterIcon, InboxIcon, LockIcon, SearchIcon } from "lucide-react";
import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "../controls/button-styles";
import { CopyButton } from "../display/copy-button";
import classes from "./empty.module.css";

interface EmptyProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}

/** The frame of every empty state: icon, title, reason, next step. */
export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div className={classes["empty"]}>
      <span className={classes["icon"]}>{icon}</span>
      {/* Gets the focus when the last row is deleted. */}
      <h2 className={classes["title"]} tabIndex={-1} data-focus-home="">
        {title}
      </h2>
      {children ? <div className={classes["text"]}>{children}</div> : null}
      {actions ? <div className={classes["actions"]}>{actions}</div> : null}
    </div>
  );
}

interface NothingYetProps {
  /** "No identities yet". */
  title: string;
  /** What such records are for, in one sentence. */
  children: ReactNode;
  /** The next step; the same primary action as the page's. */
  action?: ReactNode;
}

/** The list is empty, and the user has permission to list it. */
export function NothingYet({ title, children, action }: NothingYetProps) {
  return (
    <Empty icon={<InboxIcon size={24} />} title={title} actions={action}>
      {children}
    </Empty>
  );
}

interface NothingMatchesProps {
  /** Plural, in words: "identities". */
  what: string;
  /** The active filters, in words: `name is exactly "ci"`. */
  filters: readonly string[];
  onClear: () => void;
}

/** There are records, but none passes the filters. */
export function NothingMatches({ what, filters, onClear }: NothingMatchesProps) {
  const clear = (
    <Button variant="default" onClick={onClear}>
      {filters.length === 1 ? "Clear filter" : "Clear filters"}
    </Button>
  );
  return (
    <Empty icon={<ListFilterIcon size={24} />} title={`No ${what} match`} actions={clear}>
      <ul className={classes["filters"]}>
        {filters.map((filter) => (
          <li key={filter}>
            <bdi>{filter}</bdi>
          </li>
        ))}
      </ul>
    </Empty>
  );
}

interface NotPermittedProps {
  /** The denied action, as a verb and its object: "see identities here". */
  to: string;
  /** The missing capability, by its name in the API. */
  capability?: string | undefined;
  /** Who can grant it: "an owner of Acme", or links. */
  ask?: ReactNode;
  action?: ReactNode;
}

/** The user lacks a capability; says which one, and whom to ask. */
export function NotPermitted({
  to,
  capability,
  ask = "an owner of the organization",
  action,
}: NotPermittedProps) {
  return (
    <Empty icon={<LockIcon size={24} />} title={`You don't have permission to ${to}`} actions={action}>
      {capability ? (
        <p className={classes["capability"]}>
          <span>Needs</span> <code>{capability}</code> <CopyButton value={capability} what="capability" />
        </p>
      ) : null}
      <p>Ask {ask} to grant it.</p>
    </Empty>
  );
}

interface NotFoundProps {
  /** "identity". */
  kind: string;
  /** The requested uid or name. */
  sought?: ReactNode;
  /** The nearest place that exists. */
  action?: ReactNode;
}

/** The record does not exist, or the user cannot see it. */
export function NotFound({ kind, sought, action }: NotFoundProps) {
  return (
    <Empty icon={<SearchIcon size={24} />} title={`This ${kind} wasn't found`} actions={action}>
      {sought ? <p className={classes["sought"]}>{sought}</p> : null}
      <p>It may have been deleted, or the address may be wrong.</p>
    </Empty>
  );
}

/** An empty response to a user with unknown permissions: the list is empty or hidden. */
export function NothingVisible({ children, action }: { children?: ReactNode; action?: ReactNode }) {
  return (
    <Empty icon={<InboxIcon size={24} />} title="Nothing to show" actions={action}>
      {children ?? <p>Either there's nothing here, or your role doesn't let you list it.</p>}
    </Empty>
  );
}
