import { readPreference, writePreference } from "~/ui/preferences";

/** A record that the user viewed. */
export interface Visit {
  readonly collection: string;
  readonly uid: string;
  readonly name: string;
}

const KEY = "recent";
const KEPT = 8;

const isVisit = (value: unknown): value is Visit =>
  ["collection", "uid", "name"].every((key) => typeof Object(value)[key] === "string");

/** The records that the user viewed in this browser, newest first. */
export function recentVisits(): readonly Visit[] {
  try {
    const kept: unknown = JSON.parse(readPreference(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isVisit) : [];
  } catch {
    // The stored value is not ours.
    return [];
  }
}

/** Moves a record to the front of the list. */
export function noteVisit({ collection, uid, name }: Visit): void {
  const others = recentVisits().filter((visit) => visit.uid !== uid || visit.collection !== collection);
  const kept = [{ collection, uid, name }, ...others].slice(0, KEPT);
  writePreference(KEY, JSON.stringify(kept));
}

/** Removes records from the list. */
export function forgetVisits(gone: readonly Visit[]): void {
  if (gone.length === 0) return;
  const kept = recentVisits().filter(
    (visit) => !gone.some(({ collection, uid }) => visit.uid === uid && visit.collection === collection),
  );
  writePreference(KEY, JSON.stringify(kept));
}
