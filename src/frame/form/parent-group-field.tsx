import { Button } from "@mantine/core";
import { useId, useRef, useState, type ReactNode } from "react";
import { useFormContext, useWatch } from "react-hook-form";

import { PickGroup } from "~/frame/group-tree/pick-group";
import { useRefusal } from "~/frame/permissions/use-can";
import type { Endpoint } from "platform-contract/endpoint";
import { useParentOptions } from "~/frame/scope/use-parent-options";
import "~/ui/controls/button-styles";
import { SelectField } from "~/ui/form/fields";

import classes from "./parent-group-field.module.css";

interface ParentGroupFieldProps {
  /** uid of the screen's group. */
  readonly scope: string | undefined;
  readonly hint?: string;
  /** What has to be allowed in a group for it to be offered. */
  readonly create?: Pick<Endpoint, "access"> | undefined;
}

/** The group that a new record belongs to: the form's `parent`. A list has the likely groups first, a search and a tree have all. */
export function ParentGroupField({ scope, hint, create }: ParentGroupFieldProps): ReactNode {
  const { setValue } = useFormContext();
  const parent = useWatch({ name: "parent" }) as string;
  const [picked, setPicked] = useState(scope);
  const refusal = useRefusal();
  const near = useParentOptions(scope, picked);
  const options = near.options.filter(
    ({ uid }) => !create || uid === scope || uid === parent || refusal(create, uid) === undefined,
  );
  // Picked in the tree, or restored from a draft.
  if (parent !== "" && !options.some(({ uid }) => uid === parent)) setPicked(parent);
  const [browsing, setBrowsing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const pick = (uid: string) => {
    setValue("parent", uid, { shouldDirty: true, shouldTouch: true, shouldValidate: true });
    setBrowsing(false);
    button.current?.focus();
  };
  return (
    <div className={classes["parent"]}>
      <SelectField
        // A native select keeps its index when its options change; a new element selects by value.
        key={picked}
        name="parent"
        label="Folder"
        required
        {...(hint !== undefined && { hint })}
        more={near.more === undefined ? undefined : { label: near.more, onSelect: () => setBrowsing(true) }}
        options={[
          ...(scope === undefined ? [{ value: "", label: "Choose a folder" }] : []),
          ...options.map(({ uid, label: text }) => ({ value: uid, label: text })),
        ]}
      />
      <Button
        ref={button}
        variant="default"
        className={classes["browse"]}
        aria-expanded={browsing}
        aria-controls={browsing ? id : undefined}
        onClick={() => setBrowsing((now) => !now)}
      >
        {browsing ? "Hide folders" : "Find a folder"}
      </Button>
      {browsing ? (
        <div id={id} className={classes["tree"]}>
          <PickGroup label="All groups" current={parent || undefined} onPick={pick} />
        </div>
      ) : null}
    </div>
  );
}
