/** What a request names besides the person's own words; the API has only a message. */
export interface Asked {
  /** Name of the role: "viewer". */
  readonly role: string;
  /** The last day on which the access is needed: "2026-12-05". */
  readonly day: string;
}

/** A request with what it names, each a sentence; empty texts name nothing. */
export const withAsked = (message: string, { role, day }: Asked): string =>
  [message.trim().replace(/[^.!?\u2026\s]$/, "$&."), role && `Role: ${role}.`, day && `Until ${day}.`]
    .filter(Boolean)
    .join(" ");

const LAST_DAY = /(?:^|\s)Until (\d{4}-\d\d-\d\d)\.$/;

/** The day in such a message; undefined if it names none. */
export const lastDayIn = (message = ""): string | undefined => LAST_DAY.exec(message)?.[1];

/** The name of the role in such a message; undefined if it names none. */
export const roleIn = (message = ""): string | undefined =>
  /(?:^|\s)Role: (\S(?:.*\S)?)\.$/.exec(message.replace(LAST_DAY, ""))?.[1];
