import { Failure } from "../status";
import { overQuota } from "./quotas";
import { sqlState } from "./retry";

/** The database cannot serve now: callers should retry; the cause is for the log. */
export const unavailable = (what: string, cause: unknown): Failure =>
  new Failure("UNAVAILABLE", `Unavailable: ${what}`, [], { retryAfter: 1, cause });

/**
 * A full disk rejects writes (SQLSTATE 53100) but still serves reads: the operator must make room. A full quota is that of
 * one organization.
 */
export const withoutRoom = (error: unknown): unknown =>
  sqlState(error) === "53100"
    ? unavailable("the database has no room left to write", error)
    : (overQuota(error) ?? error);
