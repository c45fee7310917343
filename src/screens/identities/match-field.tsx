import type { ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { SelectField, TextField } from "~/ui/form/fields";

import type { By } from "./values";
import classes from "./identities.module.css";

interface MatchFieldProps {
  /** The text's name in the form; how it is compared is under the same name with "By". */
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly required?: boolean;
}

/** The two members of a oneof as one text and how it is compared. */
export function MatchField({ name, label, hint, required = false }: MatchFieldProps): ReactNode {
  const { control } = useFormContext();
  const by = useWatch({ control, name: `${name}By` }) as By;
  return (
    <div className={classes["match"]}>
      <TextField
        name={name}
        label={by === "pattern" ? `${label} pattern` : label}
        required={required}
        code
        hint={by === "pattern" ? "A regular expression (RE2) that fits the whole text." : hint}
      />
      <SelectField
        name={`${name}By`}
        label={`${label} fits`}
        options={[
          { value: "exact", label: "exactly" },
          { value: "pattern", label: "by pattern" },
        ]}
      />
    </div>
  );
}
