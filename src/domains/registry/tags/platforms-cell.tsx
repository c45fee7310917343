import type { ReactNode } from "react";

import { useSettled } from "~/ui/use-settled";
import { formatBytes } from "~/ui/display/numbers";
import { UnknownCell } from "~/ui/table/cell-states";

import type { ImageProps } from "./parts";
import { usePlatforms } from "~/domains/registry/references/platforms";
import classes from "./styles.module.css";

/** Architectures and sizes of a row's image on one line. An error affects only the cell: a dash explains it. */
export function PlatformsCell({ repo, digest }: ImageProps): ReactNode {
  const { data, problem } = usePlatforms(repo, digest, useSettled());
  if (data && data.length > 0)
    return (
      <span className={classes["platforms"]}>
        {data.map(({ architecture, size }) => (
          <span key={architecture}>
            {architecture}{" "}
            <span className={classes["size"]}>{size === undefined ? "—" : formatBytes(size)}</span>
          </span>
        ))}
      </span>
    );
  const why = digest === undefined ? undefined : problem;
  if (why === undefined && !data) return null;
  return <UnknownCell why={why} />;
}
