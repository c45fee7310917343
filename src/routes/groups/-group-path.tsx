import { Fragment, type ReactNode } from "react";

import type { Place } from "./-places";

interface GroupPathProps {
  readonly places: readonly Place[];
  /** Leaves out the middle of a long way, and says it on hover: its ends tell more than its beginning. */
  readonly folded?: boolean;
}

const FOLDED = { uid: "…", name: "…" };

/** What tells a nameless group from its siblings: the beginning of its own part of the uid. */
const briefly = (uid: string): string => `${uid.slice(uid.lastIndexOf("/") + 1).slice(0, 8)}…`;

/** A way through groups by their names; a short uid for one that may not be seen. */
export function GroupPath({ places, folded = false }: GroupPathProps): ReactNode {
  const folds = folded && places.length > 2;
  const shown = folds ? [...places.slice(0, 1), FOLDED, ...places.slice(-1)] : places;
  const whole = places.map(({ uid, name }) => name ?? briefly(uid)).join(" / ");
  return (
    <span data-tip={folds ? whole : undefined}>
      {shown.map(({ uid, name }, index) => (
        <Fragment key={uid}>
          {index > 0 && " / "}
          {name === undefined ? <code>{briefly(uid)}</code> : <bdi>{name}</bdi>}
        </Fragment>
      ))}
    </span>
  );
}
