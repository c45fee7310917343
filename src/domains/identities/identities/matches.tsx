import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { Dash } from "~/ui/display/dash";
import { visible } from "~/ui/display/visible";
import { VisuallyHidden } from "~/ui/layout/visually-hidden";

import classes from "./styles.module.css";
import { matchesOf } from "./words";

/** Number of trailing characters that always show: subjects often share a prefix. */
const TAIL = 22;

/** Shows what an identity matches in one monospace line, truncated in the middle. */
export function Matches({ identity }: { readonly identity: Identity }): ReactNode {
  const { text: matched, whole, note } = matchesOf(identity);
  if (matched === "") return <Dash />;
  const text = visible(matched);
  const letters = [...text];
  const head = letters.slice(0, -TAIL).join("");
  return (
    <span
      className={classes["matches"]}
      data-tip={whole === undefined ? (letters.length > TAIL ? text : undefined) : visible(whole)}
    >
      <VisuallyHidden>{text}</VisuallyHidden>
      <code className={classes["halves"]} dir="ltr" data-exact={matched} aria-hidden>
        <span className={classes["head"]}>{head}</span>
        <span>{text.slice(head.length)}</span>
      </code>
      {note ? <span className={classes["note"]}>{note}</span> : null}
    </span>
  );
}
