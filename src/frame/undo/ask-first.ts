/** The preference to confirm each deletion: for some users, six seconds to undo are too short (WCAG 2.2.1). */
export const ASK_FIRST = "ask-before-delete";
