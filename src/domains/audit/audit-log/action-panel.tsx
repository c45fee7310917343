import { TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type ReactNode } from "react";

import { ACTIONS, operationWords } from "~/domains/audit/log/words";
import { contains } from "~/ui/contains";
import matches from "~/domains/access/grants/choosing.module.css";
import classes from "~/domains/access/grants/styles.module.css";
import { fieldParts } from "~/ui/form/field-parts";

/** The panel for choosing an action: all that are known, narrowed by what is typed. */
export function ActionPanel({ onPick }: { readonly onPick: (action: string) => void }): ReactNode {
  const [text, setText] = useState("");
  const found = ACTIONS.filter((action) => contains(text, [operationWords(action), action]));
  return (
    <>
      <TextInput
        type="search"
        aria-label="Find actions"
        placeholder="Action"
        value={text}
        autoComplete="off"
        spellCheck={false}
        classNames={fieldParts}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={({ key }) => {
          if (key === "Enter" && text.trim() !== "" && found[0] !== undefined) onPick(found[0]);
        }}
      />
      <ul className={matches["matches"]} aria-label="Actions">
        {found.map((action) => (
          <li key={action}>
            <button type="button" className={matches["match"]} onClick={() => onPick(action)}>
              <span className={matches["identity"]}>
                {operationWords(action)}
                <span className={classes["note"]}>{action}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className={classes["note"]}>
        {found.length === 0 ? "No matching actions." : ""}
      </p>
    </>
  );
}
