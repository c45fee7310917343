import { createHash, randomBytes } from "node:crypto";

/** A new root-level uid: 20 random bytes. */
export const newRootUid = (): string => randomBytes(20).toString("hex");

/** A new uid below `parent`: adds 8 random bytes. */
export const newChildUid = (parent: string): string => `${parent}/${randomBytes(8).toString("hex")}`;

/** 40 hex digits derived from a text. */
export const uidOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 40);

/** The uid of the person (issuer, subject), known before they are recorded. */
export const personUid = (issuer: string, subject: string): string => uidOf(`${issuer}\n${subject}`);
