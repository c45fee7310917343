import { useId, type ReactNode } from "react";
import { useWatch, type FieldValues } from "react-hook-form";

import { formatCount } from "../display/numbers";
import { differencesOf, type Difference } from "./differences";
import { Lines, linesOf, linesWithout } from "./lines";
import classes from "./review-changes.module.css";
import type { ResourceForm } from "./use-resource-form";

/** What a save will change, always in view; the list scrolls if it is long. */
export function ReviewChanges<V extends FieldValues, O>({
  form,
}: {
  readonly form: ResourceForm<V, O>;
}): ReactNode {
  useWatch({ control: form.control });
  const changes = differencesOf(form);
  const id = useId();
  return (
    <section className={classes["review"]} aria-labelledby={id}>
      <h3 id={id} className={classes["title"]}>
        What changes <span className={classes["count"]}>{formatCount(changes.length)}</span>
      </h3>
      {changes.length === 0 ? (
        <p className={classes["quiet"]}>Nothing yet.</p>
      ) : (
        // Focusable, so that a keyboard can scroll it.
        <div className={classes["scroll"]} tabIndex={0} role="group" aria-labelledby={id}>
          <Table changes={changes} />
        </div>
      )}
    </section>
  );
}

function Table({ changes }: { readonly changes: readonly Difference[] }): ReactNode {
  return (
    <table className={classes["changes"]}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Now</th>
          <th scope="col">After saving</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <Row key={change.path} {...change} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ label, options, secret, before, after }: Difference): ReactNode {
  const [was, becomes] = [linesOf(before, options), linesOf(after, options)];
  const same = was.filter((line) => becomes.includes(line)).length;
  return (
    <tr>
      <th scope="row">{label}</th>
      <td data-when="Now">
        <Lines of={linesWithout(was, becomes)} secret={secret} none={same > 0} />
      </td>
      <td data-when="After saving">
        <div>
          <Lines of={linesWithout(becomes, was)} secret={secret} none={same > 0} />
          {same > 0 && !secret ? <p className={classes["quiet"]}>{formatCount(same)} unchanged</p> : null}
        </div>
      </td>
    </tr>
  );
}
