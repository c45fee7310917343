import type { ReactNode } from "react";

import { AppLink, type LinkTarget } from "~/ui/layout/link";
import { Notice } from "~/ui/feedback/notice";
import { capitalize } from "~/resource/define";

import { blockersOf, CONTENT_WORDS, isEmpty, quantityOf } from "./contents";
import { useListOf } from "./links";
import classes from "./styles.module.css";
import type { LiveContents } from "./use-contents";
import type { GroupKind } from "./words";

interface InsideProps extends Pick<LiveContents, "contents" | "pending" | "uncounted"> {
  readonly uid: string;
  readonly kind: GroupKind;
  /** Nothing but the caller's own role bindings is inside. */
  readonly endsAccess: boolean;
}

/** What is inside a group, before its deletion is asked for. */
export function Inside({ uid, kind, endsAccess, contents, pending, uncounted }: InsideProps): ReactNode {
  const listOf = useListOf(uid);
  if (pending) return <p className={classes["counting"]}>Counting what is inside…</p>;
  if (endsAccess)
    return (
      <Notice tone="warning" title="This ends your access">
        Nothing but your own role is left in this organization. It is deleted with it.
      </Notice>
    );
  if (isEmpty(contents)) return <p className={classes["counting"]}>It is empty.</p>;
  const blockers = blockersOf(contents);
  return (
    <Notice tone="info" title={blockers.length > 0 ? "It is not empty" : "It may not be empty"}>
      {blockers.length > 0 && (
        <>
          <p>{capitalize(kind)}s must be empty before you can delete them. Still inside:</p>
          <ul className={classes["inside"]}>
            {blockers.map(({ kind: what, count }) => (
              <li key={what}>
                <Linked to={listOf(what)}>{quantityOf(what, count)}</Linked>
              </li>
            ))}
          </ul>
        </>
      )}
      {uncounted.length > 0 && (
        <p>Not counted: {uncounted.map((what) => CONTENT_WORDS[what][1]).join(", ")}.</p>
      )}
    </Notice>
  );
}

const Linked = ({ to, children }: { to: LinkTarget | undefined; children: string }): ReactNode =>
  to ? <AppLink target={to}>{children}</AppLink> : children;
