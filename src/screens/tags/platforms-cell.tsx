import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { getArchitectures } from "~/contract/registry/images";
import { Dash } from "~/ui/display/dash";
import { formatBytes } from "~/ui/display/numbers";
import { useSettled } from "~/resource/use-settled";

import { imageProblem, platformsQuery } from "./platforms";
import classes from "./tags.module.css";

interface PlatformsProps {
  readonly repo: string;
  readonly digest: string | undefined;
}

/** Architectures and sizes of a row's image, on one line. It only ever fails by itself: a dash that says why. */
export function PlatformsCell({ repo, digest }: PlatformsProps): ReactNode {
  const { allowed, reason } = useCan(getArchitectures, repo);
  const settled = useSettled();
  const { data, error } = useQuery({
    ...platformsQuery(repo, digest ?? ""),
    enabled: settled && allowed && digest !== undefined,
  });
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
  const problem = digest === undefined ? undefined : (reason ?? (error ? imageProblem(error) : undefined));
  if (problem === undefined && !data) return null;
  return (
    <span data-tip={problem}>
      <Dash {...(problem !== undefined && { label: problem })} />
    </span>
  );
}
