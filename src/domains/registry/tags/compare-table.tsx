import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import type { Tag } from "platform-contract/registry/tags";
import { Dash } from "~/ui/display/dash";
import { FactTable } from "~/ui/display/fact-table";
import { AppLink } from "~/ui/layout/link";
import { formatBytes } from "~/ui/display/numbers";
import { Time } from "~/ui/display/time";
import { shortDigest } from "~/ui/display/shorten";

import { tagScreens } from "./data";
import { Deprecated, RepoLink } from "./parts";
import { byArchitecture, usePlatforms, type Platform } from "~/domains/registry/references/platforms";
import classes from "./styles.module.css";

interface CompareTableProps {
  readonly a: Tag;
  readonly b: Tag;
}

/** Compares two tags row by row. */
export function CompareTable({ a, b }: CompareTableProps): ReactNode {
  const [first, second] = [usePlatforms(parentOf(a.uid), a.digest), usePlatforms(parentOf(b.uid), b.digest)];
  const problem = first.problem ?? second.problem;
  const images =
    problem === undefined
      ? comparePlatforms(first.data ?? [], second.data ?? []).map((platform) => [
          platform.architecture,
          <Size key="a" platform={platform.a} />,
          <Size key="b" platform={platform.b} />,
          first.data && second.data ? platform.difference : "…",
        ])
      : [["Architectures", "", "", problem]];
  const title = (tag: Tag) => (
    <AppLink target={tagScreens.link(tag.uid)}>
      <code>{tagScreens.nameOf(tag)}</code>
    </AppLink>
  );
  return (
    <FactTable
      className={`${classes["table"]} ${classes["compare"]}`}
      head={["", title(a), title(b), "Difference"]}
      rows={[...linesOf(a, b), ...images]}
    />
  );
}

function linesOf(a: Tag, b: Tag): readonly (readonly ReactNode[])[] {
  const both = (cell: (tag: Tag) => ReactNode) => [cell(a), cell(b)];
  const digest = ({ digest: value }: Tag) =>
    value && (
      <code className={classes["digest"]} data-exact={value}>
        {shortDigest(value)}
      </code>
    );
  return [
    [
      "Repo",
      ...both(({ uid }) => <RepoLink uid={parentOf(uid)} />),
      parentOf(a.uid) === parentOf(b.uid) ? "same" : "different repo",
    ],
    ["Digest", ...both(digest), a.digest && a.digest === b.digest ? "same image" : "different image"],
    ["Updated", ...both(({ updateTime }) => <Time value={updateTime} />), later(a, b)],
    [
      "State",
      ...both(({ deprecated }) => (deprecated ? <Deprecated /> : "Active")),
      (a.deprecated ?? false) === (b.deprecated ?? false) ? "same" : "different",
    ],
  ];
}

const Size = ({ platform }: { readonly platform: Platform | undefined }): ReactNode =>
  platform === undefined ? (
    <Dash label="not built" />
  ) : platform.size === undefined ? (
    <Dash label="unknown" />
  ) : (
    formatBytes(platform.size)
  );

const DAY = 24 * 60 * 60 * 1000;

/** Describes how much later the second tag was updated. */
function later({ updateTime: first = "" }: Tag, { updateTime: second = "" }: Tag): string {
  const by = Date.parse(second) - Date.parse(first);
  if (Number.isNaN(by)) return "unknown";
  if (by === 0) return "same";
  const days = Math.floor(Math.abs(by) / DAY);
  const distance = days === 0 ? "less than a day" : days === 1 ? "1 day" : `${days} days`;
  return `${distance} ${by > 0 ? "later" : "earlier"}`;
}

/** One architecture in two images; undefined on a side that lacks it. */
export interface ComparedPlatform {
  readonly architecture: string;
  readonly a: Platform | undefined;
  readonly b: Platform | undefined;
  /** The change from the first to the second, in words. */
  readonly difference: string;
}

/** "+1.2 MB (3.5%)", "-800 kB (2%)", "same". */
function differenceOf(a: number | bigint, b: number | bigint): string {
  const by = BigInt(b) - BigInt(a);
  if (by === 0n) return "same";
  const share = Number(a) === 0 ? undefined : Math.abs(Number(by) / Number(a));
  const percent =
    share === undefined
      ? ""
      : ` (${share.toLocaleString("en", { style: "percent", maximumFractionDigits: 1 })})`;
  return `${by > 0n ? "+" : "\u2212"}${formatBytes(by > 0n ? by : -by)}${percent}`;
}

/** Compares the architectures of two images, in the usual order. */
export function comparePlatforms(a: readonly Platform[], b: readonly Platform[]): ComparedPlatform[] {
  const names = [...new Set([...a, ...b].map(({ architecture }) => architecture))].toSorted(byArchitecture);
  return names.map((architecture) => {
    const [first, second] = [a, b].map((each) => each.find((one) => one.architecture === architecture));
    const difference =
      first === undefined
        ? "only in the second"
        : second === undefined
          ? "only in the first"
          : first.size === undefined || second.size === undefined
            ? "unknown"
            : differenceOf(first.size, second.size);
    return { architecture, a: first, b: second, difference };
  });
}
