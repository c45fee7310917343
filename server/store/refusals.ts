import { Failure } from "../status";
import { sqlState } from "./retry";

/** The database cannot serve now: callers come again; the cause is for the log. */
export const unavailable = (what: string, cause: unknown): Failure =>
  new Failure("UNAVAILABLE", `Unavailable: ${what}`, [], { retryAfter: 1, cause });

/** A full disk refuses writes (SQLSTATE 53100) and goes on reading: it is the operator's to make room. */
export const withoutRoom = (error: unknown): unknown =>
  sqlState(error) === "53100" ? unavailable("the database has no room left to write", error) : error;
