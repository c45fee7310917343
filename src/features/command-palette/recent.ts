import { readPreference, writePreference } from "~/ui/preferences";

/** A record that somebody looked at. */
export interface Visit {
  readonly collection: string;
  readonly uid: string;
  readonly name: string;
}

const KEY = "recent";
const KEPT = 8;

const isVisit = (value: unknown): value is Visit =>
  ["collection", "uid", "name"].every((key) => typeof Object(value)[key] === "string");

/** The records that this person looked at in this browser, the newest first. */
export function recentVisits(): readonly Visit[] {
  try {
    const kept: unknown = JSON.parse(readPreference(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isVisit) : [];
  } catch {
    // Somebody else's text in our place.
    return [];
  }
}

/** Puts a record in front of the others. */
export function noteVisit({ collection, uid, name }: Visit): void {
  const others = recentVisits().filter((visit) => visit.uid !== uid || visit.collection !== collection);
  const kept = [{ collection, uid, name }, ...others].slice(0, KEPT);
  writePreference(KEY, JSON.stringify(kept));
}
