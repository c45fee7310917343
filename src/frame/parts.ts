import type { ComponentType, ReactNode } from "react";

import type { ProofSubject } from "./proof/ask";

/** A record as the log knows it. */
export interface RecordKey {
  readonly collection: string;
  readonly uid: string;
}

/** What the frame shows of domains without knowing them. */
export interface FrameParts {
  /** Leads to the form that asks for access to a group. */
  readonly AskForAccess: ComponentType<{ readonly group: string }>;
  /** What happened to a record, below its facts. */
  readonly RecordHistory: ComponentType<{ readonly record: RecordKey }>;
  /** Who changed a record last, below the time of that. */
  readonly ChangedBy: ComponentType<{ readonly record: RecordKey }>;
  /** A button to who had access to a group, or to the roles of an identity, on a date. */
  readonly OnADate: ComponentType<{
    readonly about: { readonly group?: string | undefined; readonly identity?: string | undefined };
  }>;
  /** A button that makes a proof of what the log says. */
  readonly MakeProof: ComponentType<{ readonly subject: ProofSubject }>;
  /** Which rule deletes old tags of a group or repo. */
  readonly RetentionFact: ComponentType<{ readonly place: string; readonly isRepo: boolean }>;
  /** What a text is that was pasted where a name is sought: an error, a token; nothing if it is none. */
  readonly PastedHint: ComponentType<{ readonly text: string }>;
  /** What a refused write in a group needs first; undefined if that is not why it was refused. */
  readonly refusalHelp: (
    reason: unknown,
    group: string,
  ) => { readonly message: string; readonly help: ReactNode } | undefined;
}

const given: Partial<FrameParts> = {};

/** Gives the frame its parts, before the first screen. */
export const giveFrameParts = (parts: FrameParts): void => void Object.assign(given, parts);

/** The parts; none in a test that renders the frame alone. */
export const frameParts = (): Partial<FrameParts> => given;
