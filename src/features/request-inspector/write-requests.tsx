import { useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { useFormState, useWatch, type FieldValues } from "react-hook-form";

import { curlOf } from "~/api/client/curl";
import type { RequestInfo } from "~/api/client/request-info";
import { Document } from "~/ui/display/json-document";
import { formatQuantity } from "~/ui/display/numbers";
import type { ResourceForm } from "~/ui/form/use-resource-form";

import classes from "./requests.module.css";

/** Commands that are shown of a long list: somebody who runs all of them wants a script. */
const SHOWN = 20;

interface WriteRequestsProps {
  /** What would be sent, in that order. */
  readonly requests: () => readonly RequestInfo[];
  /** What else there is to know of them, in a sentence. */
  readonly note?: string | undefined;
}

/** Requests that a button would send, as commands with which to send them elsewhere; folded until somebody asks. */
export function WriteRequests({ requests, note }: WriteRequestsProps): ReactNode {
  return <Folded>{() => <Commands requests={requests()} note={note} />}</Folded>;
}

interface FormRequestsProps<V extends FieldValues, O> {
  readonly form: ResourceForm<V, O>;
  /** What the form would send as it stands; none: nothing has changed. */
  readonly requests: (values: V) => readonly RequestInfo[];
}

/** The same of a form, which follows what is typed into it. */
export const FormRequests = <V extends FieldValues, O>(props: FormRequestsProps<V, O>): ReactNode => (
  <Folded>{() => <OfForm {...props} />}</Folded>
);

function OfForm<V extends FieldValues, O>({ form, requests }: FormRequestsProps<V, O>): ReactNode {
  const { control } = form;
  useWatch({ control });
  const { isValid } = useFormState({ control });
  const note = isValid
    ? undefined
    : "Some fields are missing or invalid: this is sent once they are corrected.";
  return <Commands requests={requests(form.getValues())} note={note} />;
}

function Folded({ children }: { readonly children: () => ReactNode }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <details className={classes["folded"]} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes["fold"]}>Show request</summary>
      {open ? children() : null}
    </details>
  );
}

interface CommandsProps {
  readonly requests: readonly RequestInfo[];
  readonly note: string | undefined;
}

function Commands({ requests, note }: CommandsProps): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  if (requests.length === 0) return <p className={classes["note"]}>Nothing to send: nothing has changed.</p>;
  const left = requests.length - SHOWN;
  return (
    <>
      <p className={classes["note"]}>
        Set <code>TOKEN</code> to your own access token; yours is never shown here. Secrets are left out.
      </p>
      {note === undefined ? null : <p className={classes["note"]}>{note}</p>}
      <ol className={classes["list"]}>
        {requests.slice(0, SHOWN).map((asked, index) => (
          <li key={index}>
            <Document
              text={curlOf(config.apiBaseUrl, asked, config.fieldMaskCase)}
              what={`command: ${asked.endpoint.summary}`}
            />
          </li>
        ))}
      </ol>
      {left > 0 ? (
        <p className={classes["note"]}>
          And {formatQuantity(left, "more of the same kind", "more of the same kind")}.
        </p>
      ) : null}
    </>
  );
}
