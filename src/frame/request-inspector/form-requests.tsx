import type { ReactNode } from "react";
import { useFormState, useWatch, type FieldValues } from "react-hook-form";

import type { RequestInfo } from "platform-client/request-info";

import type { ResourceForm } from "~/ui/form/use-resource-form";

import { Commands, Folded } from "./write-requests";

interface FormRequestsProps<V extends FieldValues, O> {
  readonly form: ResourceForm<V, O>;
  /** The requests that the form would send in its current state; empty if nothing has changed. */
  readonly requests: (values: V) => readonly RequestInfo[];
}

/** The requests that a form would send, as commands that update while the user types. */
export const FormRequests = <V extends FieldValues, O>(props: FormRequestsProps<V, O>): ReactNode => (
  <Folded>{() => <OfForm {...props} />}</Folded>
);

function OfForm<V extends FieldValues, O>({ form, requests }: FormRequestsProps<V, O>): ReactNode {
  const { control } = form;
  useWatch({ control });
  const { isValid } = useFormState({ control });
  const note = isValid ? undefined : "Some fields are missing or invalid. This is the request so far.";
  return <Commands requests={requests(form.getValues())} note={note} />;
}
