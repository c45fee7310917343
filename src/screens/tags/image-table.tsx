import type { ReactNode } from "react";

import { Dash } from "~/ui/display/dash";
import { formatBytes } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";

import type { ImageProps } from "./parts";
import { usePlatforms } from "./platforms";
import classes from "./styles.module.css";

/** The image for each architecture. */
export function ImageTable({ repo, digest }: ImageProps): ReactNode {
  const { data, problem } = usePlatforms(repo, digest);
  const none =
    data?.length === 0 ? "No architectures." : digest === undefined ? "This tag has no digest." : "Loading…";
  return (
    <Section
      title="Architectures"
      count={data?.length || undefined}
      description="Compressed size, including config."
    >
      {problem !== undefined || !data?.length ? (
        <p className={classes["quiet"]}>
          {problem === undefined ? null : <Dash />} {problem ?? none}
        </p>
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
                  {size === undefined ? <Dash label="unknown" /> : formatBytes(size)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}
