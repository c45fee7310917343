import { ChevronDownIcon } from "lucide-react";
import { useId, useRef, useState, type ReactNode } from "react";

import { BesideGroup } from "~/frame/group-tree/lazy-parts";
import { Popover } from "~/ui/overlay/popover";

import { useScopeLink } from "~/shell/links";
import styles from "./step-menu.module.css";

interface StepMenuProps {
  /** uid of a group on the path. */
  readonly uid: string;
  readonly name: string;
}

/** Opens the groups beside a step of the path, with a search over all folders. */
export function StepMenu({ uid, name }: StepMenuProps): ReactNode {
  const linkTo = useScopeLink();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const label = `Folders beside ${name}`;
  const near = () => {
    Popover.preload();
    BesideGroup.preload();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles["opener"]}
        aria-label={label}
        aria-expanded={open}
        aria-haspopup="dialog"
        aria-controls={open ? id : undefined}
        data-tip={label}
        onPointerEnter={near}
        onFocus={near}
        onClick={() => setOpen((now) => !now)}
      >
        <ChevronDownIcon size={12} />
      </button>
      {open ? (
        <Popover
          id={id}
          label={label}
          button={button}
          side="start"
          width="20rem"
          onClose={() => setOpen(false)}
        >
          <BesideGroup uid={uid} linkTo={linkTo} onChosen={() => setOpen(false)} />
        </Popover>
      ) : null}
    </>
  );
}
