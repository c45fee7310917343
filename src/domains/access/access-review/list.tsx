import { useRef, type KeyboardEvent, type ReactNode } from "react";

import { HolderKind } from "~/domains/access/grants/holder-kind";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { uidToParam } from "~/frame/scope/uid-param";
import { announce } from "~/ui/feedback/announcer";
import { Dash } from "~/ui/display/dash";
import { Time } from "~/ui/display/time";
import type { LinkTarget } from "~/ui/layout/link";
import { ListTable } from "~/ui/table/list-table";
import { READ, type Column } from "~/ui/table/types";

import type { ReviewItem } from "./format";
import { nameOf, type DecidingProps } from "./one";
import { DecisionState, FirstFlag } from "./parts";
import { decisionWords } from "./report";
import classes from "./styles.module.css";

const columns: readonly Column<ReviewItem>[] = [
  { id: "who", header: "Identity", width: "minmax(10rem, 2fr)", cell: ({ identity }) => identity.name },
  {
    id: "kind",
    header: "Kind",
    width: "6rem",
    hideBelow: 900,
    cell: ({ identity }) => <HolderKind machine={identity.machine} />,
  },
  {
    id: "role",
    header: "Role",
    width: "minmax(8rem, 1fr)",
    hideBelow: 480,
    cell: ({ role }) => <RoleBadge name={role.name} />,
  },
  {
    id: "folder",
    header: "Folder",
    width: "minmax(8rem, 1fr)",
    hideBelow: 760,
    cell: ({ folder }) => <bdi>{folder}</bdi>,
  },
  {
    id: "seen",
    header: "Last seen",
    width: "7.5rem",
    hideBelow: 1000,
    cell: ({ evidence: { seen } }) =>
      seen === undefined ? <Dash label="unknown" /> : seen === null ? "never" : <Time value={seen} />,
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

const oneOf = ({ uid }: ReviewItem): LinkTarget => ({
  to: "/access-review",
  search: (now: object) => ({ ...now, step: "one", binding: uidToParam(uid) }),
});

/** All bindings; K, X and Z decide about the focused row, and Enter opens it. */
export function ReviewList({ items, onDecide, locked }: DecidingProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (!(target instanceof Element)) return;
    const uid = target.closest<HTMLElement>("[data-row-key]")?.dataset["rowKey"];
    const item = items.find((each) => each.uid === uid);
    const decision = ({ k: "keep", x: "revoke", z: undefined } as const)[key.toLowerCase()];
    const isAct = ["k", "x", "z"].includes(key.toLowerCase());
    if (!item || !isAct || ctrlKey || metaKey || altKey || target.matches("input, select")) return;
    event.preventDefault();
    if (locked !== undefined || item.gone) return;
    onDecide(item.uid, { decision });
    announce(decisionWords({ ...item, decision }));
    if (decision === undefined) return;
    // On to the next row, as the arrow does.
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
  };
  return (
    <div ref={frame} className={classes["table"]} onKeyDownCapture={onKeyDown}>
      <ListTable
        label="Role bindings under review"
        query={READ}
        rows={items}
        total={items.length}
        rowKey={({ uid }) => uid}
        rowName={nameOf}
        rowLink={oneOf}
        rowActions={(item) =>
          locked === undefined && !item.gone
            ? [
                { label: "Keep", onSelect: () => onDecide(item.uid, { decision: "keep" }) },
                { label: "Reduce or write a note", link: oneOf(item) },
                { label: "Revoke", onSelect: () => onDecide(item.uid, { decision: "revoke" }) },
                { label: "Undecide", onSelect: () => onDecide(item.uid, { decision: undefined }) },
              ]
            : [{ label: "Open", link: oneOf(item) }]
        }
        summary={(item) => `${item.role.name} in ${item.folder}`}
        aside={(item) => <DecisionState item={item} />}
        columns={columns}
        emptyState={<p className={classes["quiet"]}>No role bindings match these filters.</p>}
      />
    </div>
  );
}
