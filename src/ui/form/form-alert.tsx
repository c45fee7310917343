import { Button } from "@mantine/core";

import "../controls/button-styles";
import { Wait } from "../feedback/countdown";
import { ErrorDetails } from "../feedback/error-details";
import type { ErrorFacts } from "../feedback/error-facts";
import { Notice } from "../feedback/notice";

interface FormAlertProps extends ErrorFacts {
  /** Nothing was sent: the form itself is incomplete. */
  unsent?: boolean;
  /** Seconds until the next attempt is allowed. */
  wait?: number;
  /** Loads the values that someone else saved. */
  onReload?: (() => void) | undefined;
  /** Shows those values next to the user's. */
  onCompare?: (() => void) | undefined;
}

/** The error of a form as a whole, and the violations that no field shows. */
export function FormAlert(props: FormAlertProps) {
  const {
    message,
    violations,
    outcome,
    calm = false,
    help,
    unsent = false,
    wait = 0,
    onReload,
    onCompare,
  } = props;
  // Not errors: what only a look can tell, what the user can put right here, what was never sent.
  const warns = outcome === "unknown" || outcome === "changed" || unsent || Boolean(help);
  const reload = (
    <>
      {onCompare ? (
        <Button variant="default" onClick={onCompare}>
          Compare
        </Button>
      ) : null}
      <Button variant="default" onClick={onReload}>
        Load the current values
      </Button>
    </>
  );
  return (
    <Notice
      tone={calm ? "info" : warns ? "warning" : "danger"}
      role={calm ? "status" : "alert"}
      actions={onReload ? reload : undefined}
    >
      <p>{message}</p>
      {wait > 0 ? (
        <p>
          Rate limited. Try again in <Wait seconds={wait} />.
        </p>
      ) : null}
      {violations.length > 0 ? (
        <ul>
          {violations.map(({ field, description }) => (
            <li key={`${field} ${description}`}>
              {field === "" ? null : (
                <>
                  <code>{field}</code>:{" "}
                </>
              )}
              {description}
            </li>
          ))}
        </ul>
      ) : null}
      {help}
      {calm || unsent ? null : <ErrorDetails {...props} />}
    </Notice>
  );
}
