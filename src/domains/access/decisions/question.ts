import type { AnswerOf } from "platform-contract/endpoint";
import type { explainAccess } from "platform-contract/iam/access-decisions";

/** Who asks what about whom. */
export interface Question {
  /** uid of who it is about; undefined for the user. */
  readonly identity: string | undefined;
  /** "ci-release", "You". */
  readonly who: string;
  /** "pull images". */
  readonly act: string;
  /** Wire names of what it takes. */
  readonly capabilities: readonly string[];
  /** What the record is called: "the repo api", "platform". */
  readonly where: string;
}

export type Decided = AnswerOf<typeof explainAccess>;

/** A question with its answer. */
export interface AnswerProps {
  readonly question: Question;
  readonly answer: Decided;
}
