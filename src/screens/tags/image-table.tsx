import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { getArchitectures } from "~/contract/registry/images";
import { Dash } from "~/ui/display/dash";
import { formatBytes } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";

import { imageProblem, platformsQuery } from "./platforms";
import classes from "./tags.module.css";

interface ImageTableProps {
  readonly repo: string;
  readonly digest: string | undefined;
}

/** What the image is for each architecture. */
export function ImageTable({ repo, digest }: ImageTableProps): ReactNode {
  const { allowed, reason } = useCan(getArchitectures, repo);
  const { data, error } = useQuery({
    ...platformsQuery(repo, digest ?? ""),
    enabled: allowed && digest !== undefined,
  });
  const problem = reason ?? (error && !data ? imageProblem(error) : undefined);
  return (
    <Section
      title="Architectures"
      count={data?.length || undefined}
      description="How large the layers of the image and its configuration are together."
    >
      {problem !== undefined ? (
        <p className={classes["quiet"]}>
          <Dash /> {problem}
        </p>
      ) : data === undefined ? (
        <p className={classes["quiet"]}>{digest === undefined ? "It has no digest." : "Loading…"}</p>
      ) : data.length === 0 ? (
        <p className={classes["quiet"]}>The service names no architecture.</p>
      ) : (
        <table className={`${classes["table"]} ${classes["narrow"]}`}>
          <thead>
            <tr>
              <th scope="col">Architecture</th>
              <th scope="col" className={classes["number"]}>
                Size
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ architecture, size }) => (
              <tr key={architecture}>
                <td>{architecture}</td>
                <td className={classes["number"]}>
                  {size === undefined ? <Dash label="not told" /> : formatBytes(size)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
