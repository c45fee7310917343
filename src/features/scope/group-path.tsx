import { Fragment, type ReactNode } from "react";

import type { Ancestor } from "./ancestors";
import classes from "./group-path.module.css";

interface GroupPathProps {
  readonly places: readonly Ancestor[];
  /** On one line; truncated at the beginning, because the last group matters most. */
  readonly oneLine?: boolean;
  /** uid of a group to omit together with its ancestors: the path starts below it. */
  readonly below?: string | undefined;
}

/** Distinguishes a nameless group from its siblings: the first characters of the last part of its uid. */
const briefly = (uid: string): string => `${uid.slice(uid.lastIndexOf("/") + 1).slice(0, 8)}…`;

const Name = ({ place: { uid, name } }: { place: Ancestor }): ReactNode =>
  name === undefined ? <code>{briefly(uid)}</code> : <bdi>{name}</bdi>;

/** A path of group names; shows a short uid for a group that is not readable. */
export function GroupPath({ places, oneLine = false, below }: GroupPathProps): ReactNode {
  const last = places.at(-1);
  // For that group itself, show only its name.
  const above = places.slice(places.findIndex(({ uid }) => uid === below) + 1, -1);
  const whole = places.map(({ uid, name }) => name || briefly(uid)).join(" / ");
  return (
    <span
      className={oneLine ? classes["line"] : undefined}
      data-tip={oneLine && places[1] ? whole : undefined}
    >
      {above.length > 0 && (
        <span className={oneLine ? classes["above"] : undefined}>
          {above.map((place, index) => (
            <Fragment key={place.uid}>
              {index > 0 && " / "}
              <Name place={place} />
            </Fragment>
          ))}
        </span>
      )}
      {last && (
        <span className={oneLine ? classes["last"] : undefined} data-quiet={last.uid === below || undefined}>
          {above.length > 0 && " / "}
          <Name place={last} />
        </span>
      )}
    </span>
  );
}
