import { readPreference, writePreference } from "~/ui/preferences";

const KEY = "shortcuts";

/** True if keys without a modifier are shortcuts (WCAG 2.1.4 requires a way to turn these off). */
export const lettersAct = (): boolean => readPreference(KEY) !== "off";

export const setLettersAct = (on: boolean): void => writePreference(KEY, on ? null : "off");
