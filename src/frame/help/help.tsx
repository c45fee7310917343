import { useId, useRef, useState, type ReactNode } from "react";

import { IconButton } from "~/ui/controls/icon-button";
import { Popover } from "~/ui/overlay/popover";

import classes from "./help.module.css";
import { TOPICS, type Topic } from "./topics";

/** A small "?" next to a concept, which explains it. */
export function Help({ about }: { readonly about: Topic }): ReactNode {
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
        onPointerEnter={Popover.preload}
        onFocus={Popover.preload}
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
            {TOPICS[about].map((sentence) => (
              <p key={sentence}>{sentence}</p>
            ))}
          </div>
        </Popover>
      ) : null}
    </span>
  );
}
