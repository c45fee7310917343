import classes from "./plain-field.module.css";

/** Class name of a bare `<input>` or `<select>` with the look of a field. */
export const plainField = classes["plain"] ?? "";
