import { useState, type ReactNode } from "react";

import type { Role } from "platform-contract/iam/roles";
import { useRoleChoice } from "~/domains/access/grants/roles";
import { formatCount, formatQuantity } from "~/ui/display/numbers";

import { OFFERED } from "./areas";
import type { MayAdd } from "./choice";
import { RolePick } from "./role-pick";
import classes from "./styles.module.css";

interface PresetsProps {
  /** uid of the role's group; "" until one is chosen. */
  readonly group: string;
  readonly chosen: ReadonlySet<string>;
  readonly mayAdd: MayAdd;
  readonly onChange: (chosen: ReadonlySet<string>, words: string) => void;
}

/** Adds the capabilities of another role, except those that the caller can't grant. */
export function Presets({ group, chosen, mayAdd, onChange }: PresetsProps): ReactNode {
  const { roles } = useRoleChoice(group);
  const [said, setSaid] = useState("");
  const add = ({ name, capabilities = [] }: Role) => {
    const offered = capabilities.filter((wire) => OFFERED.includes(wire));
    const added = offered.filter((wire) => mayAdd(wire) && !chosen.has(wire));
    const left = offered.filter((wire) => !mayAdd(wire)).length;
    const words = [
      `Added ${formatQuantity(added.length, "capability", "capabilities")} from ${name}.`,
      ...(left > 0 ? [`${formatCount(left)} skipped because you don't have them in this group.`] : []),
    ].join(" ");
    setSaid(words);
    onChange(new Set([...chosen, ...added]), words);
  };
  return (
    <div>
      <RolePick label="Add all capabilities of a role" button="Add to this role" roles={roles} onPick={add} />
      {said ? <p className={classes["hint"]}>{said}</p> : null}
    </div>
  );
}
