import { Button } from "@mantine/core";
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { get, useWatch, type FieldValues } from "react-hook-form";

import "../controls/button-styles";
import type { Conflict } from "./differences";
import { sameValue } from "platform-contract/values";
import classes from "./merge-changes.module.css";
import { Lines, linesOf } from "./lines";
import type { ResourceForm } from "./use-resource-form";
import { untyped } from "./untyped";

interface MergeProps<V extends FieldValues, O> {
  /** Filled with what another user saved, and this user's changes on top. */
  readonly form: ResourceForm<V, O>;
  readonly conflicts: readonly Conflict[];
  readonly onClose: () => void;
}

/** Shown if another user saved first: each field as opened, theirs and yours. A choice updates the form immediately. */
export function MergeChanges<V extends FieldValues, O>(props: MergeProps<V, O>): ReactNode {
  const { form, conflicts, onClose } = props;
  const values: unknown = useWatch({ control: form.control });
  const group = useRef<HTMLDivElement>(null);
  // The pressed button has unmounted.
  useLayoutEffect(() => group.current?.focus(), []);
  return (
    <div
      ref={group}
      role="group"
      tabIndex={-1}
      aria-label="Their changes and yours"
      className={classes["merge"]}
    >
      <p>Someone else saved first. Choose which values to keep, then save.</p>
      <div className={classes["fields"]}>
        {conflicts.map((conflict) => (
          <Field
            key={conflict.path}
            {...conflict}
            value={get(values, conflict.path)}
            onChoose={(value) => untyped(form).setValue(conflict.path, value, { shouldDirty: true })}
          />
        ))}
      </div>
      <Button variant="default" onClick={onClose}>
        Hide comparison
      </Button>
    </div>
  );
}

interface FieldProps extends Conflict {
  /** The form's present value. */
  readonly value: unknown;
  readonly onChoose: (value: unknown) => void;
}

function Field({ label, options, secret, opened, theirs, yours, value, onChoose }: FieldProps): ReactNode {
  const name = useId();
  const side = (title: string, its: unknown) => (
    <label className={classes["side"]}>
      <span className={classes["title"]}>
        <input type="radio" name={name} checked={sameValue(value, its)} onChange={() => onChoose(its)} />{" "}
        {title}
      </span>
      <Lines of={linesOf(its, options)} secret={secret} />
    </label>
  );
  return (
    <fieldset className={classes["field"]}>
      <legend className={classes["legend"]}>{label}</legend>
      <div className={classes["side"]}>
        <span className={classes["title"]}>When you opened it</span>
        <Lines of={linesOf(opened, options)} secret={secret} />
      </div>
      {side("Theirs", theirs)}
      {side("Yours", yours)}
    </fieldset>
  );
}
