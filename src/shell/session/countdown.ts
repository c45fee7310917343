/** "1:40", for display. */
export const minutesAndSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

const count = (number: number, noun: string): string[] =>
  number === 0 ? [] : [`${number} ${noun}${number === 1 ? "" : "s"}`];

/** "1 minute 40 seconds", for screen readers. */
export const spokenTime = (seconds: number): string =>
  [...count(Math.floor(seconds / 60), "minute"), ...count(seconds % 60, "second")].join(" ") || "a moment";
