import { TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import type { ReactNode } from "react";

import { JUSTIFICATION_CHARACTERS } from "platform-contract/audit/justification";
import { formatQuantity } from "~/ui/display/numbers";
import { fieldParts } from "~/ui/form/field-parts";

export const LABEL = "Reason (optional)";

/** Characters left from which on the field counts them. */
const NEARLY_FULL = 50;

interface WordsProps {
  readonly value: string;
  readonly onChange: (words: string) => void;
  readonly error?: ReactNode;
}

/** Why access changes, in one line, never longer than the service takes. */
export function JustificationWords({ value, onChange, error }: WordsProps): ReactNode {
  const left = JUSTIFICATION_CHARACTERS - [...value].length;
  const counted = left > NEARLY_FULL ? "" : ` ${formatQuantity(left, "character", "characters")} left.`;
  return (
    <TextInput
      label={LABEL}
      description={`Kept in the audit log.${counted}`}
      value={value}
      error={error}
      onChange={({ currentTarget }) =>
        onChange([...currentTarget.value].slice(0, JUSTIFICATION_CHARACTERS).join(""))
      }
      autoComplete="off"
      dir="auto"
      classNames={fieldParts}
    />
  );
}
