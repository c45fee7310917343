import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";

import type { AccessReviewItem } from "platform-contract/iam/access-reviews";
import { useRoleChoice } from "~/domains/access/grants/roles";
import { useOf, useRecordsUse } from "~/domains/access/use/queries";
import { smallerRoles, type Smaller } from "~/domains/access/use/smaller-roles";
import { useLatest } from "~/ui/use-latest";
import { HolderKind } from "~/domains/access/grants/holder-kind";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { identityLink } from "~/frame/record/identity-link";
import { formatCount } from "~/ui/display/numbers";
import { announce } from "~/ui/feedback/announcer";
import { Empty } from "~/ui/feedback/empty";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { CircleCheckIcon } from "lucide-react";

import type { Decided } from "./data";
import { Act, MAX_CHOICES, Note, Roles } from "./one-panels";
import { DecisionState, Facts, Flags } from "./parts";
import classes from "./styles.module.css";
import { decisionWords, nameOf } from "./words";

export interface DecidingProps {
  /** The role bindings that pass the filters. */
  readonly items: readonly AccessReviewItem[];
  readonly onDecide: (item: AccessReviewItem, decided: Decided) => void;
}

export const isOpenItem = ({ decision = "" }: AccessReviewItem): boolean => decision === "";

/** Where letters are text, or belong to what lies over the page. */
const ELSEWHERE = "textarea, select, input, dialog, [role=dialog], [role=menu], [contenteditable]";

/** The next binding without a decision after this one, from the top again; else the next one. */
function nextOpen(items: readonly AccessReviewItem[], from: number): number {
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
export function OneByOne({ items, first, onDecide }: OneByOneProps): ReactNode {
  const [at, setAt] = useState(() => {
    const wanted = items.findIndex(({ uid }) => uid === first);
    return wanted >= 0 ? wanted : Math.max(0, items.findIndex(isOpenItem));
  });
  const [open, setOpen] = useState<"roles" | "note">();
  const card = useRef<HTMLElement>(null);
  const index = Math.min(at, items.length - 1);
  const item = items[index];
  const { identityUid = "", groupUid = "", roleUid = "" } = item ?? {};
  const records = useRecordsUse();
  const choice = useRoleChoice(groupUid);
  const use = useQuery({ ...useOf(identityUid, groupUid), enabled: records && open === "roles" });
  const roles = choice.pending
    ? undefined
    : smallerRoles({ group: groupUid, identity: identityUid, role: roleUid }, choice.roles, use.data);
  // Before it is painted: its keys decide.
  useLayoutEffect(() => card.current?.focus({ preventScroll: true }), []);
  const go = (next: number) => {
    const target = Math.max(0, Math.min(next, items.length - 1));
    setAt(target);
    setOpen(undefined);
    card.current?.focus({ preventScroll: true });
    const to = items[target];
    return to && target !== index ? `${nameOf(to)}. ` : "";
  };
  const decide = (decided: Decided) => {
    if (!item || item.refusal !== undefined) return;
    onDecide(item, decided);
    const words = decisionWords({ ...item, decision: decided.decision, toRoleName: decided.to?.name });
    announce(decided.decision === undefined ? "Decision removed" : `${words}. ${go(nextOpen(items, index))}`);
  };
  const fixed = item?.refusal;
  const noRoles =
    roles === undefined
      ? "Reading the roles"
      : roles.length === 0
        ? "No role that you can see allows less"
        : undefined;
  const reduceTo = (chosen: Smaller | undefined) => {
    if (chosen)
      decide({
        decision: "REVIEW_DECISION_REDUCE",
        to: { uid: chosen.role.uid, name: chosen.role.name ?? "" },
      });
  };
  const acts: Readonly<Record<string, () => void>> = {
    ArrowDown: () => void go(index + 1),
    ArrowUp: () => void go(index - 1),
    ...(fixed === undefined && {
      k: () => decide({ decision: "REVIEW_DECISION_KEEP" }),
      x: () => decide({ decision: "REVIEW_DECISION_REVOKE" }),
      z: () => decide({ decision: undefined }),
      n: () => setOpen("note"),
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
            .map((chosen, place) => [String(place + 1), () => reduceTo(chosen)]),
        )),
    }),
    ...(open !== undefined && { Escape: () => setOpen(undefined) }),
  };
  // Wherever the focus is on the page: a click beside the card must not make the keys dead.
  const latest = useLatest(acts);
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
      if (target.closest(ELSEWHERE) || document.querySelector("dialog[open]")) return;
      // Arrows scroll, and move in lists: they are the card's only inside of it.
      if (key.length > 1 && !card.current?.contains(target)) return;
      const act = latest.current[key.length === 1 ? key.toLowerCase() : key];
      if (!act) return;
      // Otherwise the letter would be a shortcut of the page, or go into the field that it opens.
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    window.addEventListener("keydown", onKeyDown, true);
    return () => window.removeEventListener("keydown", onKeyDown, true);
  }, [latest]);
  if (!item)
    return (
      <Empty icon={<CircleCheckIcon size={24} />} title="No role bindings match">
        Choose other filters.
      </Empty>
    );
  return (
    <section
      ref={card}
      tabIndex={-1}
      className={classes["card"]}
      aria-label={`Role binding ${index + 1} of ${items.length}`}
    >
      <div className={classes["cardHead"]}>
        <p className={classes["quiet"]}>
          {formatCount(index + 1)} of {formatCount(items.length)}
        </p>
        <DecisionState item={item} />
      </div>
      <h2 className={classes["who"]}>
        <AppLink target={identityLink(identityUid)}>
          <bdi>{item.identityName}</bdi>
        </AppLink>
      </h2>
      <p className={classes["what"]}>
        <HolderKind machine={item.machine === true} />
        <RoleBadge name={item.roleName ?? ""} /> in <bdi>{item.groupName}</bdi>
      </p>
      <Flags item={item} />
      {item.refusal === undefined ? null : <Notice>{item.refusal}.</Notice>}
      <Facts item={item} />
      {item.note ? (
        <p className={classes["note"]}>
          Note: <bdi>{item.note}</bdi>
        </p>
      ) : null}
      <p className={`${classes["quiet"]} ${classes["key"]}`}>
        Press a letter to decide; the next one without a decision follows.
      </p>
      <div className={classes["acts"]}>
        <Act letter="K" reason={fixed} onClick={() => decide({ decision: "REVIEW_DECISION_KEEP" })}>
          Keep
        </Act>
        <Act letter="R" reason={fixed ?? noRoles} onClick={() => setOpen("roles")}>
          Reduce
        </Act>
        <Act letter="X" reason={fixed} onClick={() => decide({ decision: "REVIEW_DECISION_REVOKE" })}>
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
            const { decision, toRoleUid = "", toRoleName = "" } = item;
            onDecide(item, {
              decision: decision as Decided["decision"],
              ...(toRoleUid !== "" && { to: { uid: toRoleUid, name: toRoleName } }),
              note,
            });
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
