import type { KeyboardEvent, ReactNode } from "react";

import type { AccessReviewItem } from "platform-contract/iam/access-reviews";

import { HolderKind } from "~/domains/access/grants/holder-kind";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { uidToParam } from "~/frame/scope/uid-param";
import { announce } from "~/ui/feedback/announcer";
import { Time } from "~/ui/display/time";
import type { LinkTarget } from "~/ui/layout/link";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";

import type { DecidingProps } from "./one";
import { DecisionState, FirstFlag } from "./parts";
import { isKeyOf } from "~/ui/keys";

import classes from "./styles.module.css";
import { decisionWords, nameOf } from "./words";

const columns: readonly Column<AccessReviewItem>[] = [
  { id: "who", header: "Identity", width: "minmax(10rem, 2fr)", cell: ({ identityName }) => identityName },
  {
    id: "kind",
    header: "Kind",
    width: "6rem",
    hideBelow: 900,
    cell: ({ machine }) => <HolderKind machine={machine === true} />,
  },
  {
    id: "role",
    header: "Role",
    width: "minmax(8rem, 1fr)",
    hideBelow: 480,
    cell: ({ roleName = "" }) => <RoleBadge name={roleName} />,
  },
  {
    id: "folder",
    header: "Folder",
    width: "minmax(8rem, 1fr)",
    hideBelow: 760,
    cell: ({ groupName }) => <bdi>{groupName}</bdi>,
  },
  {
    id: "seen",
    header: "Last seen",
    width: "7.5rem",
    hideBelow: 1000,
    cell: ({ lastSeenTime }) => (lastSeenTime === undefined ? "never" : <Time value={lastSeenTime} />),
  },
  {
    id: "flags",
    header: "Look at",
    width: "minmax(10rem, 2fr)",
    hideBelow: 640,
    cell: (item) => <FirstFlag item={item} />,
  },
  {
    id: "decision",
    header: "Decision",
    width: "minmax(9rem, 1fr)",
    hideBelow: 420,
    cell: (item) => <DecisionState item={item} />,
  },
];

const KEYS = { k: "REVIEW_DECISION_KEEP", x: "REVIEW_DECISION_REVOKE", z: undefined } as const;

const oneOf = ({ uid }: AccessReviewItem): LinkTarget => ({
  to: "/access-review",
  search: (now: object) => ({ ...now, step: "one", binding: uidToParam(uid) }),
});

/** All bindings; K, X and Z decide about the focused row, and Enter opens it. */
export function ReviewList({ items, onDecide }: DecidingProps): ReactNode {
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (!(target instanceof Element)) return;
    const uid = target.closest<HTMLElement>("[data-row-key]")?.dataset["rowKey"];
    const item = items.find((each) => each.uid === uid);
    const isAct = isKeyOf(KEYS, key.toLowerCase());
    if (!item || !isAct || ctrlKey || metaKey || altKey || target.matches("input, select")) return;
    event.preventDefault();
    event.stopPropagation();
    if (item.refusal !== undefined) return announce(item.refusal);
    const decision = KEYS[key.toLowerCase() as keyof typeof KEYS];
    onDecide(item, { decision });
    announce(decision === undefined ? "Decision removed" : decisionWords({ ...item, decision }));
    if (decision === undefined) return;
    // On to the next row, as the arrow does.
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
  };
  return (
    <>
      <p className={`${classes["quiet"]} ${classes["key"]}`}>
        In the table, K keeps, X revokes and Z undecides the focused row; Enter opens it.
      </p>
      <div className={classes["table"]} onKeyDownCapture={onKeyDown}>
        <ListTable
          label="Role bindings under review"
          query={READ}
          rows={items}
          total={items.length}
          rowKey={({ uid }) => uid}
          rowName={nameOf}
          rowLink={oneOf}
          rowActions={(item) =>
            item.refusal === undefined
              ? [
                  { label: "Keep", onSelect: () => onDecide(item, { decision: "REVIEW_DECISION_KEEP" }) },
                  { label: "Reduce or write a note", link: oneOf(item) },
                  { label: "Revoke", onSelect: () => onDecide(item, { decision: "REVIEW_DECISION_REVOKE" }) },
                  { label: "Undecide", onSelect: () => onDecide(item, { decision: undefined }) },
                ]
              : [{ label: "Open", link: oneOf(item) }]
          }
          summary={({ roleName, groupName }) => `${roleName} in ${groupName}`}
          aside={(item) => <DecisionState item={item} />}
          columns={columns}
          emptyState={<p className={classes["quiet"]}>No role bindings match these filters.</p>}
        />
      </div>
    </>
  );
}
