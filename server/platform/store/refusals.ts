import { Failure } from "../../status";
import { overQuota } from "./quotas";
import { sqlState } from "./retry";

/** The database cannot serve now: callers should retry; the cause is for the log. */
export const unavailable = (what: string, cause: unknown): Failure =>
  new Failure("UNAVAILABLE", `Unavailable: ${what}`, [], { retryAfter: 1, cause });

/** PostgreSQL's words for a file that it may not write (42501 is also a missing right of SQL). */
const OF_A_FILE = /^could not \w+ (?:file|directory) /;

/**
 * True for a disk that takes no writes (a file system that became read-only, a broken one): an I/O error, or no right to
 * one of the database's own files.
 */
const isOfTheDisk = (error: unknown): boolean =>
  sqlState(error) === "58030" ||
  (sqlState(error) === "42501" && OF_A_FILE.test(String(Object(error).message)));

/**
 * A full disk rejects writes (SQLSTATE 53100) but still serves reads: the operator must make room. A full quota is that of
 * one organization.
 */
export const withoutRoom = (error: unknown): unknown =>
  sqlState(error) === "53100"
    ? unavailable("the database has no room left to write", error)
    : isOfTheDisk(error)
      ? unavailable("the disk of the database cannot be written", error)
      : (overQuota(error) ?? error);
