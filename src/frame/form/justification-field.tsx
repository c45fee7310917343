import type { ReactNode } from "react";
import { useController, useFormContext } from "react-hook-form";

import { takesJustifications } from "~/api/client/client";
import { useFieldError, useFieldLabel } from "~/ui/form/use-field";

import { JustificationWords, LABEL } from "./justification-words";

/** The form's value with the reason of a change; not part of the record. */
export const JUSTIFICATION = "justification";

/** Why access changes, as the last field of a form; nothing where the service does not keep it. */
export const JustificationField = (): ReactNode => (takesJustifications() ? <InForm /> : null);

function InForm(): ReactNode {
  const { control } = useFormContext();
  const { field } = useController({ control, name: JUSTIFICATION });
  useFieldLabel(JUSTIFICATION, LABEL);
  const error = useFieldError(JUSTIFICATION);
  return <JustificationWords value={String(field.value ?? "")} onChange={field.onChange} error={error} />;
}
