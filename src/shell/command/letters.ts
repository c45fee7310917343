import { readPreference, writePreference } from "~/ui/preferences";

const KEY = "shortcuts";

/** True if keys without a modifier are shortcuts (WCAG 2.1.4 requires a way to turn these off). */
export const singleKeyShortcutsEnabled = (): boolean => readPreference(KEY) !== "off";

export const setSingleKeyShortcutsEnabled = (on: boolean): void => writePreference(KEY, on ? null : "off");
