import { Fragment, type ReactNode } from "react";

import { shorten } from "~/kit/shorten";

import type { Place } from "./-places";

/** A way through groups by their names; a short uid for one that may not be seen. */
export function GroupPath({ places }: { readonly places: readonly Place[] }): ReactNode {
  return places.map(({ uid, name }, index) => (
    <Fragment key={uid}>
      {index > 0 && " / "}
      {name === undefined ? <code>{shorten(uid)}</code> : <bdi>{name}</bdi>}
    </Fragment>
  ));
}
