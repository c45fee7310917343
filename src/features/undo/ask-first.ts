/** The preference of somebody who wants to be asked before each deletion: six seconds are too short for some (WCAG 2.2.1). */
export const ASK_FIRST = "ask-before-delete";
