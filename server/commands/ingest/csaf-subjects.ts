import type { AffectedRange } from "platform-contract/vulnerabilities/events";

import { boundOrderOf, orderOf } from "../../platform/store/versions/version-order";
import { isWithin } from "../../platform/store/versions/version-ranges";
import type { CsafProduct } from "./csaf-products";
import { rangesOf, unitedRanges } from "./ranges";
import type { Extent, VexStatus } from "./vex-statements";

/** A product in one of the lists of a vulnerability. */
export interface Listed {
  readonly id: string;
  readonly status: VexStatus;
  /** It is the first, or the last, of the versions that are affected. */
  readonly bound?: "first" | "last" | undefined;
  readonly product: CsafProduct;
}

/** Products that have one answer. */
export interface SubjectAnswer {
  readonly status: VexStatus;
  readonly of: readonly Listed[];
  /** Which versions, if the products do not say it one by one. */
  readonly extent?: Extent;
}

/** All that distinguishes advisories of one vulnerability, but versions. */
export const subjectKeyOf = ({ artifact, component }: CsafProduct): string =>
  JSON.stringify([
    [artifact.type, artifact.name, artifact.qualifiers["arch"], artifact.distribution],
    artifact.type === "image" ? artifact.version : "",
    [component.type, component.name, component.location],
  ]);

const kindOf = ({ product }: Listed) => product.versions.kind;
const isLimited = (one: Listed): boolean =>
  kindOf(one) === "some" || kindOf(one) === "unread" || one.bound !== undefined;

/** A source's own words beside versions; their space keeps them from being taken for one. */
const inWords = (text: string, why: string): string => `${text} (${why})`;

function affectedVersionsOf({ product: { versions } }: Listed): readonly string[] {
  if (versions.kind === "unread") return [inWords(versions.text, "as written")];
  if (versions.kind === "one") return [versions.version];
  return versions.kind === "some" ? versions.versions : [];
}

/** The versions that fix it: each that is named, and those that a range begins at. */
function fixesOf({ product: { versions } }: Listed): readonly string[] {
  if (versions.kind === "one") return [versions.version];
  if (versions.kind !== "some") return [];
  return [...versions.versions, ...versions.ranges.flatMap(({ introduced }) => introduced ?? [])];
}

/** The ranges that first and last affected versions span. */
function spanned(listed: readonly Listed[], type: string): AffectedRange[] {
  const versionsOf = (bound: Listed["bound"]) =>
    listed.filter((one) => one.bound === bound).flatMap(affectedVersionsOf);
  const [first, last] = [versionsOf("first"), versionsOf("last")];
  if (first.length + last.length === 0) return [];
  return rangesOf(
    [
      ...(first.length > 0 ? first : ["0"]).map((introduced) => ({ introduced })),
      ...last.map((version) => ({ last_affected: version })),
    ],
    orderOf(type),
  );
}

/** Ends a range whose source only says how far it reaches at the first fix behind it; one without an end, at the newest. */
function endedBy(range: AffectedRange, fixes: readonly string[], type: string): AffectedRange {
  const compare = boundOrderOf(type);
  const { limit, lastAffected, introduced } = range;
  const isBehind = (fix: string): boolean => {
    if (limit !== undefined) return (compare(fix, limit) ?? -1) >= 0;
    return lastAffected !== undefined
      ? (compare(fix, lastAffected) ?? -1) > 0
      : introduced === undefined || (compare(fix, introduced) ?? -1) > 0;
  };
  const behind = fixes.filter(isBehind).toSorted((one, other) => orderOf(type)(one, other) ?? 0);
  const fixed = limit === undefined && lastAffected === undefined ? behind.at(-1) : behind[0];
  return fixed === undefined ? range : { ...(introduced !== undefined && { introduced }), fixed };
}

/** The worst first: what counts if one product is in several lists. */
const WORST: readonly VexStatus[] = ["affected", "under_investigation", "fixed", "not_affected"];

/** What the lists say of one package in one place; adds a sentence to `skipped` for each product that does not count. */
export function answersOf(id: string, listed: readonly Listed[], skipped: string[]): SubjectAnswer[] {
  const { type, name } = listed[0]?.product.component ?? { type: "", name: "" };
  // A version has an advisory of its own, unless it is a fix or a bound.
  const isApart = (one: Listed) => kindOf(one) === "one" && one.status !== "fixed" && one.bound === undefined;
  const apart = WORST.flatMap((status): SubjectAnswer[] => {
    const of = listed.filter((one) => isApart(one) && one.status === status);
    return of.length > 0 ? [{ status, of }] : [];
  });
  const together = listed.filter((one) => !isApart(one));
  const withStatus = (status: VexStatus) => together.filter((one) => one.status === status);
  const leaveOut = (some: readonly Listed[], why: string) => {
    for (const one of some) skipped.push(`${id}: product ${one.id}: ${why}`);
  };
  const worst = WORST.find((status) => withStatus(status).length > 0);
  if (worst === undefined) return apart;
  const [affected = [], open = [], fixed = [], spared = []] = WORST.map(withStatus);
  const isBoth = affected.length > 0 && fixed.length > 0;
  if (!together.some(isLimited) && !isBoth) {
    leaveOut(
      together.filter(({ status }) => status !== worst),
      `${name} is listed as ${worst.replaceAll("_", " ")} too, which counts`,
    );
    return [...apart, { status: worst, of: withStatus(worst) }];
  }
  if (affected.length === 0 && (fixed.length === 0 || open.length > 0)) {
    const isKnown = worst === "not_affected" && spared.some((one) => kindOf(one) === "all");
    if (!isKnown) leaveOut(spared, `${name} is not affected in some versions only, so it is unknown`);
    return [...apart, { status: isKnown ? worst : "under_investigation", of: together }];
  }
  // The same name in another place can still be affected there.
  const places = new Set(fixed.map(({ product }) => product.within));
  const isFixedEverywhere = affected.every((one) => kindOf(one) !== "all" || places.has(one.product.within));
  if (!isFixedEverywhere) leaveOut(fixed, `${name} is listed as affected too, which counts`);
  const fixes = isFixedEverywhere ? fixed.flatMap(fixesOf) : [];
  const ranges = [
    ...affected.flatMap(({ product: { versions } }) => (versions.kind === "some" ? versions.ranges : [])),
    ...(affected.some((one) => kindOf(one) === "all") ? [{}] : []),
    ...spanned(affected, type),
  ].map((range) => endedBy(range, fixes, type));
  const united = unitedRanges(ranges, orderOf(type));
  const listedOnes = [...new Set(affected.flatMap(affectedVersionsOf))];
  const versions = [
    ...listedOnes.filter((version) => !isWithin(version, united, type)),
    ...open.map(() => inWords("some versions", "under investigation")),
  ];
  const extent = { ranges: united, versions, fixes };
  const status = affected.length > 0 ? "affected" : "fixed";
  return [...apart, { status, of: withStatus(status), extent }];
}
