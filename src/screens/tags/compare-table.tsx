import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/access/use-can";
import { parentOf } from "~/contract/aip";
import { getArchitectures } from "~/contract/registry/images";
import type { Tag } from "~/contract/registry/tags";
import { Dash } from "~/ui/display/dash";
import { AppLink } from "~/ui/layout/link";
import { formatBytes } from "~/ui/display/numbers";
import { Time } from "~/ui/display/time";
import { tagPage } from "~/features/registry/repo-links";

import { comparePlatforms } from "./compare-facts";
import { imageProblem, platformsQuery, type Platform } from "./platforms";
import { Deprecated, nameOf, RepoName, shortDigest } from "./columns";
import classes from "./tags.module.css";

interface CompareTableProps {
  readonly a: Tag;
  readonly b: Tag;
}

function usePlatforms({ uid, digest }: Tag) {
  const repo = parentOf(uid);
  const { allowed, reason } = useCan(getArchitectures, repo);
  const { data, error } = useQuery({
    ...platformsQuery(repo, digest ?? ""),
    enabled: allowed && digest !== undefined,
  });
  return { data, problem: reason ?? (error && !data ? imageProblem(error) : undefined) };
}

/** Two tags line by line, and where they differ. */
export function CompareTable({ a, b }: CompareTableProps): ReactNode {
  const [first, second] = [usePlatforms(a), usePlatforms(b)];
  const problem = first.problem ?? second.problem;
  const sameDigest = a.digest !== undefined && a.digest === b.digest;
  return (
    <table className={`${classes["table"]} ${classes["compare"]}`}>
      <thead>
        <tr>
          <td />
          {[a, b].map((tag, side) => (
            <th key={side} scope="col">
              <AppLink target={tagPage(tag.uid)}>
                <code>{nameOf(tag)}</code>
              </AppLink>
            </th>
          ))}
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        <Line
          label="Repo"
          of={({ uid }) => <RepoName uid={parentOf(uid)} />}
          difference={parentOf(a.uid) === parentOf(b.uid) ? "same" : "another repo"}
          {...{ a, b }}
        />
        <Line
          label="Digest"
          of={({ digest }) =>
            digest === undefined ? <Dash /> : <code className={classes["digest"]}>{shortDigest(digest)}</code>
          }
          difference={sameDigest ? "same image" : "another image"}
          {...{ a, b }}
        />
        <Line
          label="Updated"
          of={({ updateTime }) => <Time value={updateTime} />}
          difference={later(a, b)}
          {...{ a, b }}
        />
        <Line
          label="State"
          of={({ deprecated }) => (deprecated ? <Deprecated /> : "Active")}
          difference={(a.deprecated ?? false) === (b.deprecated ?? false) ? "same" : "differs"}
          {...{ a, b }}
        />
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

interface LineProps extends CompareTableProps {
  readonly label: string;
  readonly of: (tag: Tag) => ReactNode;
  readonly difference: ReactNode;
}

const Line = ({ label, of, difference, a, b }: LineProps): ReactNode => (
  <tr>
    <th scope="row">{label}</th>
    <td>{of(a)}</td>
    <td>{of(b)}</td>
    <td>{difference}</td>
  </tr>
);

const Size = ({ platform }: { readonly platform: Platform | undefined }): ReactNode =>
  platform === undefined ? (
    <Dash label="not built for it" />
  ) : platform.size === undefined ? (
    <Dash label="not told" />
  ) : (
    formatBytes(platform.size)
  );

const DAY = 24 * 60 * 60 * 1000;

/** How far apart two tags were updated. */
function later({ updateTime: first = "" }: Tag, { updateTime: second = "" }: Tag): string {
  const by = Date.parse(second) - Date.parse(first);
  if (Number.isNaN(by)) return "not known";
  if (by === 0) return "same";
  const days = Math.floor(Math.abs(by) / DAY);
  const distance = days === 0 ? "less than a day" : days === 1 ? "1 day" : `${days} days`;
  return `${distance} ${by > 0 ? "later" : "earlier"}`;
}
