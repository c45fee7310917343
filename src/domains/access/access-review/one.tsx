import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { HolderKind } from "~/domains/access/grants/holder-kind";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { identityLink } from "~/frame/record/identity-link";
import { formatCount } from "~/ui/display/numbers";
import { announce } from "~/ui/feedback/announcer";
import { Empty } from "~/ui/feedback/empty";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { CircleCheckIcon } from "lucide-react";

import type { Smaller } from "./evidence";
import type { ReviewItem } from "./format";
import { Act, MAX_CHOICES, Note, Roles } from "./one-panels";
import { DecisionState, Facts, Flags } from "./parts";
import { isOpenItem, type Decided } from "./progress";
import { decisionWords } from "./report";
import classes from "./styles.module.css";

export interface DecidingProps {
  /** The bindings that pass the filters. */
  readonly items: readonly ReviewItem[];
  readonly onDecide: (uid: string, decided: Decided) => void;
  /** Smaller roles, the best first; undefined until they are read. */
  readonly smaller: (item: ReviewItem) => readonly Smaller[] | undefined;
  /** Why nothing can be decided. */
  readonly locked: string | undefined;
}

/** The next binding without a decision after this one, from the top again; else the next one. */
function nextOpen(items: readonly ReviewItem[], from: number): number {
  const after = items.findIndex((item, index) => index > from && isOpenItem(item));
  if (after >= 0) return after;
  const before = items.findIndex((item, index) => index !== from && isOpenItem(item));
  return before >= 0 ? before : Math.min(from + 1, items.length - 1);
}

interface OneByOneProps extends DecidingProps {
  /** uid of the binding to begin with. */
  readonly first: string | undefined;
}

/** One binding at a time, decided by a key. */
export function OneByOne({ items, first, onDecide, smaller, locked }: OneByOneProps): ReactNode {
  const [at, setAt] = useState(() => {
    const wanted = items.findIndex(({ uid }) => uid === first);
    return wanted >= 0 ? wanted : Math.max(0, items.findIndex(isOpenItem));
  });
  const [open, setOpen] = useState<"roles" | "note">();
  const card = useRef<HTMLElement>(null);
  const index = Math.min(at, items.length - 1);
  const item = items[index];
  // Before it is painted: its keys decide.
  useLayoutEffect(() => card.current?.focus({ preventScroll: true }), []);
  if (!item)
    return (
      <Empty icon={<CircleCheckIcon size={24} />} title="No role bindings match">
        Choose other filters.
      </Empty>
    );
  const go = (next: number) => {
    const target = Math.max(0, Math.min(next, items.length - 1));
    setAt(target);
    setOpen(undefined);
    card.current?.focus({ preventScroll: true });
    const to = items[target];
    return to && target !== index ? `${nameOf(to)}. ` : "";
  };
  const decide = (decided: Decided) => {
    if (locked !== undefined) return;
    onDecide(item.uid, decided);
    const words = decisionWords({ ...item, ...decided });
    announce(decided.decision === undefined ? "Decision removed" : `${words}. ${go(nextOpen(items, index))}`);
  };
  const roles = smaller(item);
  const fixed = locked ?? (item.gone ? "It no longer exists" : undefined);
  const noRoles =
    roles === undefined
      ? "Reading the roles"
      : roles.length === 0
        ? "No role that you can see allows less"
        : undefined;
  const reduceTo = (choice: Smaller | undefined) => {
    if (choice) decide({ decision: "reduce", to: { uid: choice.role.uid, name: choice.role.name } });
  };
  const acts: Readonly<Record<string, () => void>> = {
    ArrowDown: () => void go(index + 1),
    ArrowUp: () => void go(index - 1),
    ...(fixed === undefined && {
      k: () => decide({ decision: "keep" }),
      x: () => decide({ decision: "revoke" }),
      n: () => setOpen("note"),
      z: () => decide({ decision: undefined }),
      r: () =>
        noRoles !== undefined
          ? announce(noRoles)
          : open === "roles"
            ? reduceTo(roles?.[0])
            : setOpen("roles"),
      ...(open === "roles" &&
        Object.fromEntries(
          (roles ?? [])
            .slice(0, MAX_CHOICES)
            .map((choice, place) => [String(place + 1), () => reduceTo(choice)]),
        )),
    }),
    ...(open !== undefined && { Escape: () => setOpen(undefined) }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (
      ctrlKey ||
      metaKey ||
      altKey ||
      !(target instanceof Element) ||
      target.matches("textarea, select, input")
    )
      return;
    const act = acts[key.length === 1 ? key.toLowerCase() : key];
    if (!act) return;
    // Otherwise the letter would be a shortcut of the page, or go into the field that it opens.
    event.preventDefault();
    act();
  };
  return (
    <section
      ref={card}
      tabIndex={-1}
      className={classes["card"]}
      aria-label={`Role binding ${index + 1} of ${items.length}`}
      onKeyDown={onKeyDown}
    >
      <div className={classes["cardHead"]}>
        <p className={classes["quiet"]}>
          {formatCount(index + 1)} of {formatCount(items.length)}
        </p>
        <DecisionState item={item} />
      </div>
      <h2 className={classes["who"]}>
        <AppLink target={identityLink(item.identity.uid)}>
          <bdi>{item.identity.name}</bdi>
        </AppLink>
      </h2>
      <p className={classes["what"]}>
        <HolderKind machine={item.identity.machine} />
        <RoleBadge name={item.role.name} /> in <bdi>{item.folder}</bdi>
      </p>
      <Flags item={item} />
      {item.own ? (
        <Notice tone="warning" title="This is your own access">
          It's applied last, on its own: without it, you might not be able to see or change anything here.
        </Notice>
      ) : null}
      <Facts item={item} />
      {item.note ? (
        <p className={classes["note"]}>
          Note: <bdi>{item.note}</bdi>
        </p>
      ) : null}
      <div className={classes["acts"]}>
        <Act letter="K" reason={fixed} onClick={() => decide({ decision: "keep" })}>
          Keep
        </Act>
        <Act letter="R" reason={fixed ?? noRoles} onClick={() => setOpen("roles")}>
          Reduce
        </Act>
        <Act letter="X" reason={fixed} onClick={() => decide({ decision: "revoke" })}>
          Revoke
        </Act>
        <Act letter="N" reason={fixed} onClick={() => setOpen("note")}>
          Note
        </Act>
        <Act letter="Z" reason={fixed} onClick={() => decide({ decision: undefined })}>
          Undecide
        </Act>
        <Act
          letter="↑"
          reason={index === 0 ? "This is the first one" : undefined}
          onClick={() => go(index - 1)}
        >
          Back
        </Act>
        <Act
          letter="↓"
          reason={index === items.length - 1 ? "This is the last one" : undefined}
          onClick={() => go(index + 1)}
        >
          Next
        </Act>
      </div>
      {open === "roles" && roles ? <Roles roles={roles} onChoose={reduceTo} /> : null}
      {open === "note" ? (
        <Note
          key={item.uid}
          value={item.note ?? ""}
          onSave={(note) => {
            const { decision, to } = item;
            onDecide(item.uid, { decision, to, note });
            setOpen(undefined);
            card.current?.focus({ preventScroll: true });
          }}
          onCancel={() => {
            setOpen(undefined);
            card.current?.focus({ preventScroll: true });
          }}
        />
      ) : null}
    </section>
  );
}

export const nameOf = ({ identity, role, folder }: ReviewItem): string =>
  `${identity.name}, ${role.name} in ${folder}`;
