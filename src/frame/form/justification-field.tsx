import { TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type ReactNode } from "react";
import { useController, useFormContext } from "react-hook-form";

import { JUSTIFICATION_CHARACTERS } from "platform-contract/audit/justification";
import { takesJustifications } from "~/api/client/client";
import { formatQuantity } from "~/ui/display/numbers";
import { fieldParts } from "~/ui/form/field-parts";
import { useFieldLabel } from "~/ui/form/use-field";

/** The form's value with the reason of a change; not part of the record. */
export const JUSTIFICATION = "justification";

const LABEL = "Reason (optional)";

/** Characters left from which on the field counts them. */
const NEARLY_FULL = 50;

interface WordsProps {
  readonly value: string;
  readonly onChange: (words: string) => void;
}

/** One line, never longer than the service takes. */
function Words({ value, onChange }: WordsProps): ReactNode {
  const left = JUSTIFICATION_CHARACTERS - [...value].length;
  const counted = left > NEARLY_FULL ? "" : ` ${formatQuantity(left, "character", "characters")} left.`;
  return (
    <TextInput
      label={LABEL}
      description={`Kept in the audit log.${counted}`}
      value={value}
      onChange={({ currentTarget }) =>
        onChange([...currentTarget.value].slice(0, JUSTIFICATION_CHARACTERS).join(""))
      }
      autoComplete="off"
      dir="auto"
      classNames={fieldParts}
    />
  );
}

/** Why access changes, as the last field of a form; nothing where the service does not keep it. */
export const JustificationField = (): ReactNode => (takesJustifications() ? <InForm /> : null);

function InForm(): ReactNode {
  const { control } = useFormContext();
  const { field } = useController({ control, name: JUSTIFICATION });
  useFieldLabel(JUSTIFICATION, LABEL);
  return <Words value={String(field.value ?? "")} onChange={field.onChange} />;
}

interface Justification {
  /** Undefined where the service does not keep it, or the user said nothing. */
  readonly justification: string | undefined;
  readonly field: ReactNode;
}

/** The same for a dialog that is no form; `asked`: false if it changes nobody's access. */
export function useJustification(asked = true): Justification {
  const [words, setWords] = useState("");
  const takes = takesJustifications() && asked;
  return {
    justification: takes && words.trim() !== "" ? words : undefined,
    field: takes ? <Words value={words} onChange={setWords} /> : null,
  };
}
