import { Button } from "@mantine/core";
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";

import { MOST_NOTE_CHARACTERS } from "platform-contract/iam/access-reviews";
import { takesJustifications } from "~/api/client/client";
import { roleSummary } from "~/domains/access/roles/role-summary";
import "~/ui/controls/button-styles";
import { refusedWords } from "~/domains/access/use/facts";
import type { Smaller } from "~/domains/access/use/smaller-roles";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

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
        Smaller roles, those that still allow what was used first. Press a number, or R again for the first.
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
                  {choice.refusal ? `. ${refusedWords(choice.refusal)}` : ""}
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
          maxLength={MOST_NOTE_CHARACTERS}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      {takesJustifications() ? (
        <p className={classes["quiet"]}>Kept in the audit log, as the reason if the decision is applied.</p>
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
