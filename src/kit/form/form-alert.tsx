import type { Violation } from "../error-facts";
import { Notice } from "../notice";
import { RequestId } from "../request-id";

interface FormAlertProps {
  message: string;
  requestId?: string | undefined;
  violations: readonly Violation[];
}

/** What went wrong with a form as a whole: the error that belongs to no field, and the violations that no field shows. */
export function FormAlert({ message, requestId, violations }: FormAlertProps) {
  return (
    <Notice tone="danger" role="alert">
      <p>{message}</p>
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
      {requestId ? <RequestId value={requestId} /> : null}
    </Notice>
  );
}
