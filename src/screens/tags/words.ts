import type { TagListSearch } from "./search";

/** The filters in force, in words. */
export function filterWords({ name, digest, contains, deprecated, since }: TagListSearch): string[] {
  return [
    ...(name === undefined ? [] : [`name is exactly "${name}"`]),
    ...(contains === undefined ? [] : [`name contains "${contains}"`]),
    ...(digest === undefined ? [] : [`digest is exactly "${digest}"`]),
    ...(deprecated === undefined ? [] : [deprecated === "yes" ? "deprecated" : "not deprecated"]),
    ...(since === undefined ? [] : [`updated since ${since}`]),
  ];
}

/** What a scan's line calls those that it keeps: "" where it keeps every row. */
export function calledOf({ contains, deprecated }: TagListSearch): string {
  if (contains !== undefined) return "found";
  return deprecated === undefined ? "" : deprecated === "yes" ? "deprecated" : "active";
}

/** How a scan's rows stand, where that is not as the service lists them. */
export function arrangedOf({ by, order = "" }: TagListSearch): string | undefined {
  const version = order.startsWith("version") ? "ordered by version" : undefined;
  return by === "digest"
    ? version
      ? "grouped by digest, ordered by version"
      : "grouped by digest"
    : version;
}
