import { capitalize } from "./capitalize";
import { exactTime, readTime } from "./time-text";

/** `lastSeenTime` in words: "Last seen". */
const wordsOf = (field: string): string =>
  capitalize(
    field
      .replace(/Time$/, "")
      .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .replace(/^(creat|updat)e$/, "$1ed"),
  );

/** The exact times of a record, one a line: what is on hover in a list can't be copied from there. "" if there are none. */
export const timesOf = (record: object): string =>
  Object.entries(record)
    .flatMap(([field, value]: [string, unknown]) => {
      const time = field.endsWith("Time") && typeof value === "string" ? readTime(value) : undefined;
      return time ? [`${wordsOf(field)}: ${exactTime(time)}`] : [];
    })
    .join("\n");
