import { ListFilterIcon, InboxIcon, LockIcon, SearchIcon } from "lucide-react";
import { Button } from "@mantine/core";
import { createContext, use, type ReactNode } from "react";

import "../controls/button-styles";
import classes from "./empty.module.css";

interface EmptyProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Below everything else: for bug reports. */
  footer?: ReactNode;
  /** 1 if it replaces a whole page. */
  level?: 1 | 2;
  /** Something went wrong. */
  tone?: "warning";
}

/** The frame of every empty state, and of every failure in place of content: icon, title, reason, next step. */
export function Empty({ icon, title, children, actions, footer, level = 2, tone }: EmptyProps) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <div className={classes["empty"]}>
      <span className={classes["icon"]} data-tone={tone}>
        {icon}
      </span>
      {/* Gets the focus when the last row is deleted. */}
      <Heading className={classes["title"]} tabIndex={-1} data-focus-home="">
        {title}
      </Heading>
      {children ? <div className={classes["text"]}>{children}</div> : null}
      {actions ? <div className={classes["actions"]}>{actions}</div> : null}
      {footer}
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

/** Of a list that doesn't show all that there may be: a title that says so, and why. */
export interface EmptyPart {
  readonly title: string;
  readonly why: string;
}
export const EmptyPartContext = createContext<EmptyPart | undefined>(undefined);

/** The list is empty, and the user has permission to list it. */
export function NothingYet({ title, children, action }: NothingYetProps) {
  const part = use(EmptyPartContext);
  return (
    <Empty icon={<InboxIcon size={24} />} title={part?.title ?? title} actions={action}>
      {children}
      {part ? <p>{part.why}</p> : null}
    </Empty>
  );
}

interface NothingMatchesProps {
  /** Plural, in words: "identities". */
  what: string;
  /** The active filters, in words: `name is exactly "ci"`. */
  filters: readonly string[];
  onClear: () => void;
  /** Why there may be some all the same, and where else to look. */
  children?: ReactNode;
}

/** There are records, but none passes the filters. */
export function NothingMatches({ what, filters, onClear, children }: NothingMatchesProps) {
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
      {children}
    </Empty>
  );
}

interface HiddenEmptyProps {
  /** Of a screen that hides nothing, but whose action isn't allowed. */
  title?: string | undefined;
  /** The missing permission, in words: "view identities (identity.list)". */
  needs?: string | undefined;
  /** Why it takes that permission, as the beginning of a sentence: "The audit log tells who got which role". */
  because?: string | undefined;
  /** Who can grant it: "an owner of Acme"; undefined if nobody but the reader can. */
  ask?: string | undefined;
  /** What the user has, as a paragraph. */
  has?: ReactNode;
  action?: ReactNode;
  level?: 1 | 2;
}

/** The user lacks a capability; says which one, and whom to ask. */
export function HiddenEmpty({ title, needs, because, ask, has, action, level = 2 }: HiddenEmptyProps) {
  return (
    <Empty
      icon={<LockIcon size={24} />}
      title={title ?? "Hidden by your role"}
      actions={action}
      level={level}
    >
      <p>
        {needs === undefined
          ? "You don't have permission to view this."
          : because === undefined
            ? `You need permission to ${needs}.`
            : `${because}, so it needs permission to ${needs}.`}
      </p>
      {has}
      {ask ? (
        <p>
          Ask <bdi>{ask}</bdi> to grant it.
        </p>
      ) : null}
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
  level?: 1 | 2;
  /** What became of it, if that is known. */
  children?: ReactNode;
}

/** For what isn't there. */
export const UNKNOWN_CAUSE = <p>It may have been deleted, or the address may be wrong.</p>;

/** The record does not exist, or the user cannot see it. */
export function NotFound({ kind, sought, action, level = 2, children = UNKNOWN_CAUSE }: NotFoundProps) {
  return (
    <Empty icon={<SearchIcon size={24} />} title={`This ${kind} wasn't found`} actions={action} level={level}>
      {sought ? <p className={classes["sought"]}>{sought}</p> : null}
      {children}
    </Empty>
  );
}

interface NothingVisibleProps {
  /** Plural, in words: "identities". */
  what: string;
  /** True if there are certainly none in the folders that the user can see, and the rest is hidden. */
  below?: boolean;
  action?: ReactNode;
}

/** An empty response to a user whose role hides what there may be, or where the service doesn't tell why. */
export function NothingVisible({ what, below = false, action }: NothingVisibleProps) {
  return (
    <Empty icon={<InboxIcon size={24} />} title={`No ${what} to show`} actions={action}>
      <p>
        {below
          ? `There are none in the folders that you can see. Your role hides any others here.`
          : `We couldn't find out whether your role lets you see ${what} here.`}
      </p>
    </Empty>
  );
}
