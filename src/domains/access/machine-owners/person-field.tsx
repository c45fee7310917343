import { XIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import choosing from "~/domains/access/grants/choosing.module.css";
import { IdentitySearch } from "~/domains/access/grants/identity-search";
import { identityWords } from "~/domains/access/grants/identity-words";
import classes from "~/domains/access/grants/styles.module.css";
import { useIdentities } from "~/domains/access/grants/use-identities";
import { IconButton } from "~/ui/controls/icon-button";

interface PersonFieldProps {
  /** uid; "" for nobody. */
  readonly value: string;
  readonly onChange: (uid: string) => void;
  /** uids of people who can't be chosen. */
  readonly except?: readonly string[];
  readonly invalid?: boolean;
  readonly input?: (element: HTMLInputElement | null) => void;
}

/** Chooses one person, or nobody. */
export function PersonField({
  value,
  onChange,
  except = [],
  invalid = false,
  input,
}: PersonFieldProps): ReactNode {
  const [text, setText] = useState("");
  const { known, pending } = useIdentities(value === "" ? [] : [value]);
  if (value === "")
    return (
      <IdentitySearch
        people
        organization=""
        chosen={except}
        text={text}
        onText={setText}
        onAdd={(uid) => {
          setText("");
          onChange(uid);
        }}
        invalid={invalid}
        {...(input && { input })}
      />
    );
  const { name, note } = identityWords(value, known.get(value));
  return (
    <ul className={choosing["chosen"]} aria-label="Chosen">
      <li>
        <span className={choosing["identity"]}>
          <bdi>{pending ? "…" : name}</bdi>
          <span className={classes["note"]}>{note}</span>
        </span>
        <IconButton label={`Remove ${name}`} tip="Remove" onClick={() => onChange("")}>
          <XIcon size={16} />
        </IconButton>
      </li>
    </ul>
  );
}
