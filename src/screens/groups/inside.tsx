import type { ReactNode } from "react";

import { AppLink } from "~/kit/link";
import { Notice } from "~/kit/notice";

import { blockersOf, CONTENT_WORDS, holdsOnlyOwnBindings, isEmpty, quantityOf } from "./contents";
import type { GroupKind } from "./words";
import classes from "./styles.module.css";
import { listOf } from "./links";
import type { LiveContents } from "./use-contents";

interface InsideProps extends Pick<LiveContents, "contents" | "pending" | "uncounted"> {
  readonly uid: string;
  readonly kind: GroupKind;
  /** How many role bindings of the caller lie in the group. */
  readonly own: number;
}

/** What is inside a group, before its deletion is asked for. */
export function Inside({ uid, kind, own, contents, pending, uncounted }: InsideProps): ReactNode {
  if (pending) return <p className={classes["counting"]}>Counting what is inside…</p>;
  if (kind === "organization" && holdsOnlyOwnBindings(contents, own))
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
          <p>A group can be deleted when nothing is left in it. Inside are:</p>
          <ul className={classes["inside"]}>
            {blockers.map(({ kind: what, count }) => (
              <li key={what}>
                <Linked to={listOf(what, uid)}>{quantityOf(what, count)}</Linked>
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

const Linked = ({ to, children }: { to: ReturnType<typeof listOf>; children: string }): ReactNode =>
  to ? <AppLink target={to}>{children}</AppLink> : children;
