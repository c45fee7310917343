import type { ReactNode } from "react";

import { wordsInside } from "platform-contract/kinds";
import { AppLink } from "~/ui/layout/link";
import { Notice } from "~/ui/feedback/notice";
import { childrenIn, isEmpty, quantityOf, uncountedIn, type Children } from "./child-kinds";
import { useListLink } from "~/frame/list/list-link";
import type { LiveChildCounts } from "./use-child-counts";

import classes from "./styles.module.css";
import type { GroupKind } from "~/frame/scope/group-words";

interface InsideProps extends Pick<LiveChildCounts, "counts" | "pending"> {
  readonly uid: string;
  readonly kind: GroupKind;
  /** True if the group contains only the caller's own role bindings. */
  readonly endsAccess: boolean;
}

/** Shows the contents of a group before it is deleted. */
export function Inside({ uid, kind, endsAccess, counts, pending }: InsideProps): ReactNode {
  if (pending) return <p className={classes["counting"]}>Counting contents…</p>;
  if (endsAccess)
    return (
      <Notice tone="warning" title="You'll lose access">
        Only your own role binding is left in this organization. It's deleted too.
      </Notice>
    );
  if (isEmpty("groups", counts)) return <p className={classes["counting"]}>The {kind} is empty.</p>;
  const blockers = childrenIn("groups", counts, "blocks");
  const uncounted = uncountedIn("groups", counts).map((each) => wordsInside(each)[1]);
  const title =
    blockers.length > 0 ? "isn't empty" : uncounted.length > 0 ? "might not be empty" : "has contents";
  const said = [
    ["blocks", "It holds:"],
    ["lapses", `Blocking until expired (invites) or accepted (terms), then deleted with the ${kind}:`],
    ["goes", `Deleted with the ${kind}:`],
  ] as const;
  return (
    <Notice tone="info" title={`The ${kind} ${title}`}>
      {said.map(([effect, words]) => (
        <Quantities key={effect} of={childrenIn("groups", counts, effect)} uid={uid} words={words} />
      ))}
      {uncounted.length > 0 && <p>Not counted: {uncounted.join(", ")}.</p>}
    </Notice>
  );
}

interface QuantitiesProps extends Pick<InsideProps, "uid"> {
  readonly of: readonly Children[];
  readonly words: string;
}

function Quantities({ of, uid, words }: QuantitiesProps): ReactNode {
  const linkTo = useListLink();
  if (of.length === 0) return null;
  return (
    <>
      <p>{words}</p>
      <ul className={classes["inside"]}>
        {of.map((content) => {
          const { collection } = content.kind;
          const link = linkTo(collection, uid, "here");
          const quantity = quantityOf(content);
          return <li key={collection}>{link ? <AppLink target={link}>{quantity}</AppLink> : quantity}</li>;
        })}
      </ul>
    </>
  );
}
