import { Button, TextInput } from "@mantine/core";
import { useState, type ReactNode } from "react";

import "../controls/button-styles";
import "@mantine/core/styles/Input.css";
import { Dialog } from "./dialog";
import dialog from "./dialog.module.css";
import { DisabledReason } from "./disabled-reason";
import { useWritesPaused } from "../feedback/writes-paused";
import { WritesPausedNotice } from "../feedback/writes-paused-notice";
import { Notice } from "../feedback/notice";
import { formatCount, formatQuantity } from "../display/numbers";
import { typeable } from "./typeable";

export interface NamedRecord {
  readonly uid: string;
  readonly name: string;
  /** The groups that it is in. */
  readonly where: ReactNode;
}

/** What is done with the records, if they are not deleted. */
export interface ChangeWords {
  /** "Change issuer of", before "3 identities". */
  readonly title: string;
  /** "Change". */
  readonly button: string;
  /** "won't change", after "3 selected identities". */
  readonly refused: string;
  /** What has to be chosen first. */
  readonly missing?: string | undefined;
}

interface ConfirmManyProps {
  /** In words: "identity", "identities". */
  one: string;
  many: string;
  change?: ChangeWords;
  /** What it asks, if the number of records says too little. */
  title?: string;
  /** Access is removed, not deleted. */
  verb?: "Delete" | "Remove";
  /** The records to delete or change. */
  records: readonly NamedRecord[];
  /** Why other selected records are left out: each reason once, with their number. */
  excluded: readonly { readonly reason: string; readonly count: number }[];
  /** What is lost with them, or what changes, in one or two sentences. */
  consequence: string;
  /** Fields of a change. */
  children?: ReactNode;
  /** The user must always type their number, however few: their kind also asks for the name of a single one. */
  typed?: boolean;
  /** The requests that would be sent. */
  behind?: ReactNode;
  /** Why nothing can be started now. */
  disabled?: string | undefined;
  onClose: () => void;
  onConfirm: () => void;
}

/** Number of records to name, and the most that need only a click, unless `typed`. */
const MAX_NAMED = 5;
const MAX_BY_CLICK = 10;

/** Asks before deleting or changing many records: shows which, what else is lost, and which are excluded. */
export function ConfirmManyDialog(props: ConfirmManyProps) {
  const { one, many, change, verb = "Delete", records, excluded, consequence, children } = props;
  const { typed: always = false, onClose, onConfirm } = props;
  const [typed, setTyped] = useState("");
  const [pressed, setPressed] = useState(false);
  const heldBack = useWritesPaused();
  const count = records.length;
  const quantity = formatQuantity(count, one, many);
  const left = excluded.reduce((sum, each) => sum + each.count, 0);
  const none = count === 0 ? `You can't ${change ? "change" : verb.toLowerCase()} any of these` : undefined;
  const disabled = none ?? props.disabled ?? heldBack?.reason ?? change?.missing;
  const typing = !change && count > 0 && (always || count > MAX_BY_CLICK);
  const sole = count === 1 ? records[0]?.name : undefined;
  const isTyped =
    sole === undefined ? typed.replace(/\D/g, "") === String(count) : typeable(typed) === typeable(sole);
  const untyped = typing && !isTyped;
  const confirm = () => (untyped ? setPressed(true) : onConfirm());
  const request = sole === undefined ? `Type ${count} to confirm.` : `Type ${sole} to confirm.`;
  const missing = untyped && pressed ? request : undefined;
  return (
    <Dialog
      title={props.title ?? (change ? `${change.title} ${quantity}` : `${verb} ${quantity}?`)}
      size="28rem"
      onClose={onClose}
      footer={
        <>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <DisabledReason reason={disabled}>
            <Button {...(!change && { color: "danger" })} onClick={confirm}>
              {change?.button ?? verb} {quantity}
            </Button>
          </DisabledReason>
        </>
      }
    >
      {count > 0 ? (
        <>
          <ul className={dialog["names"]}>
            {records.slice(0, MAX_NAMED).map(({ uid, name, where }) => (
              <li key={uid}>
                <bdi>{name}</bdi> <span className={dialog["hint"]}>in {where}</span>
              </li>
            ))}
            {count > MAX_NAMED ? <li>and {formatCount(count - MAX_NAMED)} more</li> : null}
          </ul>
          {children}
          <p>{consequence}</p>
        </>
      ) : null}
      {left > 0 ? (
        <Notice
          tone="warning"
          title={`${formatQuantity(left, `selected ${one}`, `selected ${many}`)} ${change?.refused ?? `can't be ${verb === "Delete" ? "deleted" : "removed"}`}`}
        >
          <ul className={dialog["blockers"]}>
            {excluded.map(({ reason, count: times }) => (
              <li key={reason}>
                {formatCount(times)}: {reason}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {typing ? (
        <TextInput
          label={
            sole === undefined ? (
              `Type ${count} to confirm`
            ) : (
              <>
                Type the name to confirm: <bdi>{sole}</bdi>
              </>
            )
          }
          inputMode={sole === undefined ? "numeric" : "text"}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
        />
      ) : null}
      {props.behind}
      {heldBack ? <WritesPausedNotice {...heldBack} /> : null}
      <p role="status" className={dialog["hint"]}>
        {missing}
      </p>
    </Dialog>
  );
}
