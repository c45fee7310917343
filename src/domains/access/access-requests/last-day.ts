/** A request with the last day on which the access is needed, "2026-12-05", in words; the API has only a message. */
export const withLastDay = (message: string, day: string): string =>
  [message.trim(), day && `Until ${day}.`].filter(Boolean).join(" ");

/** The day in such a message; undefined if it names none. */
export const lastDayIn = (message = ""): string | undefined =>
  /(?:^|\s)Until (\d{4}-\d\d-\d\d)\.$/.exec(message)?.[1];
