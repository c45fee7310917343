import { useId, useRef, useState, type ReactNode } from "react";
import { IconButton } from "~/ui/controls/icon-button";
import { Popover } from "~/ui/overlay/popover";
import classes from "./help.module.css";

/** Explanations of the concepts: two sentences each, in the terms of docs/glossary.md. */
const TOPICS = {
  scope: [
    "The scope is the organization or folder that lists are limited to.",
    "It stays the same on every screen and in every link until you choose another one.",
  ],
  subfolders: [
    "With subfolders included, a list shows the records of the scope and of every folder below it.",
    "With this group only, it shows what is directly in the scope.",
  ],
  "identity types": [
    "An identity signs in with its own token. Its type determines who signs that token and what it must contain.",
    "With your own keys, you sign the tokens. With an issuer or a cloud, someone else does, and no secret is stored.",
  ],
  roles: [
    "A role is a named set of capabilities. Built-in roles are the same everywhere; custom roles belong to a group.",
    "A role has no effect by itself: a role binding grants it to one identity, in one group and everything below it.",
  ],
  "synced repos": [
    "A synced repo mirrors a source repo in another organization.",
    "Its tags, tier, and readme come from there, so they can't be changed here.",
  ],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

type Topic = keyof typeof TOPICS;

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
