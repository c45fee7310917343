import { Button } from "@mantine/core";
import { useId, useState, type ReactNode } from "react";

import type { Role } from "platform-contract/iam/roles";
import "~/ui/controls/button-styles";
import { formatCount } from "~/ui/display/numbers";
import { plainField } from "~/ui/form/plain-field";

import { isBuiltIn, roleScreens } from "./data";
import classes from "./styles.module.css";

interface RolePickProps {
  readonly label: string;
  /** Button text: a verb and its object. */
  readonly button: string;
  readonly roles: readonly Role[];
  readonly onPick: (role: Role) => void;
}

/** Selects one of these roles, with a button that acts on it. */
export function RolePick({ label, button, roles, onPick }: RolePickProps): ReactNode {
  const id = useId();
  const [uid, setUid] = useState("");
  const role = roles.find((each) => each.uid === uid);
  const options = (title: string, some: readonly Role[]) =>
    some.length === 0 ? null : (
      <optgroup label={title}>
        {some.map((each) => (
          <option key={each.uid} value={each.uid}>
            {roleScreens.nameOf(each)} ({formatCount(each.capabilities?.length ?? 0)})
          </option>
        ))}
      </optgroup>
    );
  return (
    <div>
      <label htmlFor={id} className={classes["label"]}>
        {label}
      </label>
      <div className={classes["pick"]}>
        <select
          id={id}
          className={`${plainField} ${classes["select"]}`}
          value={role ? uid : ""}
          onChange={(event) => setUid(event.currentTarget.value)}
        >
          <option value="">Choose a role</option>
          {options("Built-in", roles.filter(isBuiltIn))}
          {options(
            "Custom",
            roles.filter((each) => !isBuiltIn(each)),
          )}
        </select>
        <Button
          variant="default"
          onClick={() => (role ? onPick(role) : document.getElementById(id)?.focus())}
        >
          {button}
        </Button>
      </div>
    </div>
  );
}
