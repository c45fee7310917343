import { ChevronDownIcon, ChevronRightIcon } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import type { Area, Capability } from "./areas";
import { tickedOf, toggled, type MayAdd } from "./choice";
import choice from "./choice.module.css";
import classes from "./styles.module.css";

interface CapabilityAreaProps extends Area {
  readonly chosen: ReadonlySet<string>;
  /** The role's capabilities when the form was opened; undefined for a new role. */
  readonly before: readonly string[] | undefined;
  readonly mayAdd: MayAdd;
  /** True if these are the matches of a search, which always show expanded. */
  readonly searched: boolean;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

/** The capabilities of one area, collapsible, with a checkbox for all of them. */
export function CapabilityArea(props: CapabilityAreaProps): ReactNode {
  const { title, capabilities, chosen, before, mayAdd, searched, onChange } = props;
  const id = useId();
  const [open, setOpen] = useState(false);
  const unfolded = open || searched;
  const wires = capabilities.map(({ wire }) => wire);
  const count = wires.filter((wire) => chosen.has(wire)).length;
  const ticked = tickedOf(wires, chosen, mayAdd);
  const idle = count === 0 && !wires.some(mayAdd);
  const toggle = (some: readonly string[]) => onChange(toggled(some, chosen, mayAdd));
  return (
    <div className={choice["area"]}>
      <div className={choice["areaHead"]}>
        <input
          type="checkbox"
          aria-label={`All of ${title}${searched ? " that match" : ""}`}
          aria-disabled={idle || undefined}
          aria-describedby={idle ? `${id}-idle` : undefined}
          checked={ticked === "all"}
          ref={(box) => {
            if (box) box.indeterminate = ticked === "some";
          }}
          onChange={() => (idle ? undefined : toggle(wires))}
        />
        <button
          type="button"
          className={choice["fold"]}
          aria-expanded={unfolded}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {unfolded ? <ChevronDownIcon size={16} /> : <ChevronRightIcon size={16} />}
          <span className={choice["areaTitle"]}>{title}</span>
          <span className={classes["count"]}>
            {count} of {wires.length}
          </span>
        </button>
        {idle ? <VisuallyHidden id={`${id}-idle`}>{LACKING}</VisuallyHidden> : null}
      </div>
      <fieldset id={id} className={choice["rows"]} hidden={!unfolded}>
        <legend>
          <VisuallyHidden>{title}</VisuallyHidden>
        </legend>
        {unfolded
          ? capabilities.map((capability) => (
              <Row
                key={capability.wire}
                {...capability}
                checked={chosen.has(capability.wire)}
                was={before?.includes(capability.wire)}
                mayAdd={mayAdd(capability.wire)}
                onToggle={() => toggle([capability.wire])}
              />
            ))
          : null}
      </fieldset>
    </div>
  );
}

const LACKING = "You don't have this in this group";

interface RowProps extends Capability {
  readonly checked: boolean;
  /** True if the role had it when the form was opened; undefined for a new role. */
  readonly was: boolean | undefined;
  readonly mayAdd: boolean;
  readonly onToggle: () => void;
}

function Row({ name, meaning, checked, was, mayAdd, onToggle }: RowProps): ReactNode {
  const id = useId();
  const locked = !checked && !mayAdd;
  const note = mayAdd
    ? was === undefined || was === checked
      ? undefined
      : checked
        ? "Added"
        : "Removed"
    : LACKING;
  return (
    <label className={choice["row"]} data-locked={locked || undefined}>
      <input
        type="checkbox"
        checked={checked}
        aria-disabled={locked || undefined}
        aria-describedby={note === undefined ? undefined : id}
        onChange={() => (locked ? undefined : onToggle())}
      />
      <span className={choice["words"]}>
        {meaning ? <span>{meaning}</span> : null} <code className={classes["code"]}>{name}</code>
        {note === undefined ? null : (
          <span id={id} className={choice["note"]} data-lacking={mayAdd ? undefined : ""}>
            {note}
          </span>
        )}
      </span>
    </label>
  );
}
