import { onDemand } from "~/ui/on-demand";
import { useId, useRef, useState, type ReactNode } from "react";
import { IconButton } from "~/ui/controls/icon-button";
import { Popover } from "~/ui/overlay/popover";
import classes from "./help.module.css";

/** Fetched when the pointer or the focus reaches the mark: most visits never open one. */
const Explanation = onDemand(async () => (await import("./explanation")).Explanation);

const preload = () => {
  Popover.preload();
  Explanation.preload();
};

/** A small "?" next to a concept, which explains it. `about`: its plural in words, a key of TOPICS. */
export function Help({ about }: { readonly about: string }): ReactNode {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const label = `About ${about}`;
  return (
    <span className={classes["mark"]}>
      <IconButton
        ref={button}
        label={label}
        tip={!open && label}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => setOpen((now) => !now)}
      >
        <span className={classes["sign"]}>?</span>
      </IconButton>
      {open ? (
        <Popover
          id={id}
          label={label}
          button={button}
          side="start"
          width="20rem"
          onClose={() => setOpen(false)}
        >
          <div className={classes["panel"]}>
            <Explanation about={about} />
          </div>
        </Popover>
      ) : null}
    </span>
  );
}
