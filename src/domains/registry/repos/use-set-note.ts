import { useFormContext, useWatch } from "react-hook-form";

import { formatCount } from "~/ui/display/numbers";

import type { RepoValues } from "./values";

const MAPS: readonly string[] = ["customOverlay.environment", "customOverlay.annotations"];

/** Counts the values that are set: texts, entries of lists and maps, rows. */
export function countSet(value: unknown, name = ""): number {
  // Entries with an empty value count too.
  if (MAPS.includes(name)) return Object.keys(Object(value) as object).length;
  if (typeof value === "string") return value.trim() === "" ? 0 : 1;
  if (Array.isArray(value)) return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + countSet(each), 0);
}

/** Returns a note on how many values a collapsed part of the form contains. */
export function useSetNote(...names: readonly (keyof RepoValues | `customOverlay.${string}`)[]): string {
  const { control } = useFormContext();
  const values = useWatch({ control, name: names });
  const count = values.reduce<number>((sum, value, index) => sum + countSet(value, names[index]), 0);
  return count === 0 ? "None" : `${formatCount(count)} set`;
}
