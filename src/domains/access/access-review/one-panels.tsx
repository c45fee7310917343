import { Button } from "@mantine/core";
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { JUSTIFICATION_CHARACTERS } from "platform-contract/audit/justification";
import { takesJustifications } from "~/api/client/client";
import { roleSummary } from "~/domains/access/roles/role-summary";
import "~/ui/controls/button-styles";
import { refusedWords } from "~/domains/access/use/facts";
import { formatQuantity } from "~/ui/display/numbers";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import type { Smaller } from "./evidence";
import { MAX_NOTE_CHARS } from "./format";
import classes from "./styles.module.css";

/** Roles that a digit chooses. */
export const MAX_CHOICES = 9;

interface ActProps {
  readonly letter: string;
  readonly reason: string | undefined;
  readonly onClick: () => void;
  readonly children: string;
}

/** A button with the letter that does the same. */
export const Act = ({ letter, reason, onClick, children }: ActProps): ReactNode => (
  <DisabledReason reason={reason}>
    <Button variant="default" aria-keyshortcuts={ARIA[letter] ?? letter} onClick={onClick}>
      {children}&nbsp;
      <kbd className={classes["key"]} aria-hidden="true">
        {letter}
      </kbd>
    </Button>
  </DisabledReason>
);
const ARIA: Readonly<Record<string, string>> = { "↑": "ArrowUp", "↓": "ArrowDown" };

interface RolesProps {
  readonly roles: readonly Smaller[];
  readonly onChoose: (choice: Smaller) => void;
}

/** The roles that allow less, numbered. */
export function Roles({ roles, onChoose }: RolesProps): ReactNode {
  return (
    <div className={classes["panel"]}>
      <p className={classes["quiet"]}>
        Smaller roles, those that still allow {roles[0]?.refusal ? "what was used" : "the changes in the log"}{" "}
        first. Press a number, or R again for the first.
      </p>
      <ol className={classes["roles"]} aria-label="Smaller roles">
        {roles.map((choice, place) => (
          <li key={choice.role.uid}>
            <button type="button" className={classes["role"]} onClick={() => onChoose(choice)}>
              <kbd className={classes["key"]} aria-hidden="true">
                {place < MAX_CHOICES ? place + 1 : ""}
              </kbd>
              <span>
                <bdi className={classes["name"]}>{choice.role.name}</bdi>{" "}
                <span className={classes["quiet"]}>
                  {roleSummary(choice.role)}
                  {choice.refusal
                    ? `. ${refusedWords(choice.refusal)}`
                    : choice.missing > 0
                      ? `. Without ${formatQuantity(choice.missing, "kind of change", "kinds of change")} that the log has`
                      : ""}
                  {choice.stopsPulls ? ". It pulls here, and couldn't anymore" : ""}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface NoteProps {
  readonly value: string;
  readonly onSave: (note: string) => void;
  readonly onCancel: () => void;
}

/** The field for a note. */
export function Note({ value, onSave, onCancel }: NoteProps): ReactNode {
  const [text, setText] = useState(value);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      onSave(text.trim());
    } else if (event.key === "Escape") {
      event.preventDefault();
      onCancel();
    }
  };
  return (
    <div className={classes["panel"]}>
      <label className={classes["noteField"]}>
        <span>Note</span>
        <textarea
          ref={field}
          className={classes["area"]}
          rows={2}
          dir="auto"
          maxLength={MAX_NOTE_CHARS}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      {takesJustifications() ? (
        <p className={classes["quiet"]}>
          If the decision is applied, the audit log keeps the note's first {JUSTIFICATION_CHARACTERS}{" "}
          characters.
        </p>
      ) : null}
      <div className={classes["acts"]}>
        <Button variant="default" onClick={() => onSave(text.trim())}>
          Save note
        </Button>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
