import { readPreference, writePreference } from "~/ui/preferences";

const KEY = "shortcuts";

/** Whether keys without a modifier are shortcuts (WCAG 2.1.4 lets people turn those off). */
export const lettersAct = (): boolean => readPreference(KEY) !== "off";

export const setLettersAct = (on: boolean): void => writePreference(KEY, on ? null : "off");
