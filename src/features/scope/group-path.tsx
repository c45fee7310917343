import { Fragment, type ReactNode } from "react";

import type { Ancestor } from "./ancestors";
import classes from "./group-path.module.css";

interface GroupPathProps {
  readonly places: readonly Ancestor[];
  /** In one line; a narrow space cuts the beginning, because the last group matters most. */
  readonly oneLine?: boolean;
  /** uid of a group that goes without saying, with those above it: the path is from there. */
  readonly below?: string | undefined;
}

/** What tells a nameless group from its siblings: the beginning of its own part of the uid. */
const briefly = (uid: string): string => `${uid.slice(uid.lastIndexOf("/") + 1).slice(0, 8)}…`;

const Name = ({ place: { uid, name } }: { place: Ancestor }): ReactNode =>
  name === undefined ? <code>{briefly(uid)}</code> : <bdi>{name}</bdi>;

/** A path of group names; a short uid for a group that is not readable. */
export function GroupPath({ places, oneLine = false, below }: GroupPathProps): ReactNode {
  const last = places.at(-1);
  // In that group itself its name is all there is to say.
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
