import { Fragment, type ReactNode } from "react";

import { fromFirstNamed, type Ancestor } from "./ancestors";
import classes from "./group-path.module.css";

interface GroupPathProps {
  readonly places: readonly Ancestor[];
  /** On one line; truncated at the beginning, because the last group matters most. */
  readonly oneLine?: boolean;
  /** uid of a group to omit together with its ancestors: the path starts below it. */
  readonly below?: string | undefined;
}

/** A name that is loading, or that the user can't see. */
const UNNAMED = "…";

/** Letters of scripts from right to left, and marks of direction: without any, a name needs no element of its own. */
const OTHER_DIRECTION =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufeff\ud802-\ud803\ud83a-\ud83b]/;

const Name = ({ place: { name = UNNAMED } }: { place: Ancestor }): ReactNode =>
  OTHER_DIRECTION.test(name) ? <bdi>{name}</bdi> : name;

/** A path of group names, from the first that the user can see. */
export function GroupPath({ places: all, oneLine = false, below }: GroupPathProps): ReactNode {
  const named = fromFirstNamed(all);
  const places = named.length > 0 ? named : all.slice(-1);
  const last = places.at(-1);
  // For that group itself, show only its name.
  const above = places.slice(places.findIndex(({ uid }) => uid === below) + 1, -1);
  const whole = places.map(({ name = UNNAMED }) => name).join(" / ");
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
