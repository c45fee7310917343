import type { ReactNode } from "react";

import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { Dash } from "~/ui/display/dash";
import { AppLink } from "~/ui/layout/link";
import { formatBytes } from "~/ui/display/numbers";
import { Time } from "~/ui/display/time";

import { comparePlatforms } from "./compare-facts";
import { tagScreens } from "./data";
import { Deprecated, RepoLink, shortDigest } from "./parts";
import { usePlatforms, type Platform } from "./platforms";
import classes from "./styles.module.css";

interface CompareTableProps {
  readonly a: Tag;
  readonly b: Tag;
}

/** Two tags line by line, and their differences. */
export function CompareTable({ a, b }: CompareTableProps): ReactNode {
  const [first, second] = [usePlatforms(parentOf(a.uid), a.digest), usePlatforms(parentOf(b.uid), b.digest)];
  const problem = first.problem ?? second.problem;
  return (
    <table className={`${classes["table"]} ${classes["compare"]}`}>
      <thead>
        <tr>
          <td />
          {[a, b].map((tag, side) => (
            <th key={side} scope="col">
              <AppLink target={tagScreens.link(tag.uid)}>
                <code>{tagScreens.nameOf(tag)}</code>
              </AppLink>
            </th>
          ))}
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        {linesOf(a, b).map(([label, cell, difference]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{cell(a)}</td>
            <td>{cell(b)}</td>
            <td>{difference}</td>
          </tr>
        ))}
        {problem !== undefined ? (
          <tr>
            <th scope="row">Architectures</th>
            <td colSpan={3} className={classes["quiet"]}>
              <Dash /> {problem}
            </td>
          </tr>
        ) : (
          comparePlatforms(first.data ?? [], second.data ?? []).map((platform) => (
            <tr key={platform.architecture}>
              <th scope="row">{platform.architecture}</th>
              <td>
                <Size platform={platform.a} />
              </td>
              <td>
                <Size platform={platform.b} />
              </td>
              <td>{first.data && second.data ? platform.difference : "…"}</td>
            </tr>
          ))
        )}
      </tbody>
    </table>
  );
}

type Line = readonly [label: string, cell: (tag: Tag) => ReactNode, difference: string];

const linesOf = (a: Tag, b: Tag): readonly Line[] => [
  [
    "Repo",
    ({ uid }) => <RepoLink uid={parentOf(uid)} />,
    parentOf(a.uid) === parentOf(b.uid) ? "same" : "different repo",
  ],
  [
    "Digest",
    ({ digest }) =>
      digest === undefined ? <Dash /> : <code className={classes["digest"]}>{shortDigest(digest)}</code>,
    a.digest !== undefined && a.digest === b.digest ? "same image" : "different image",
  ],
  ["Updated", ({ updateTime }) => <Time value={updateTime} />, later(a, b)],
  [
    "State",
    ({ deprecated }) => (deprecated ? <Deprecated /> : "Active"),
    (a.deprecated ?? false) === (b.deprecated ?? false) ? "same" : "different",
  ],
];

const Size = ({ platform }: { readonly platform: Platform | undefined }): ReactNode =>
  platform === undefined ? (
    <Dash label="not built" />
  ) : platform.size === undefined ? (
    <Dash label="unknown" />
  ) : (
    formatBytes(platform.size)
  );

const DAY = 24 * 60 * 60 * 1000;

/** How much later the second tag was updated. */
function later({ updateTime: first = "" }: Tag, { updateTime: second = "" }: Tag): string {
  const by = Date.parse(second) - Date.parse(first);
  if (Number.isNaN(by)) return "unknown";
  if (by === 0) return "same";
  const days = Math.floor(Math.abs(by) / DAY);
  const distance = days === 0 ? "less than a day" : days === 1 ? "1 day" : `${days} days`;
  return `${distance} ${by > 0 ? "later" : "earlier"}`;
}
