import classes from "./fields.module.css";

/** Class names for the parts of a Mantine field. */
export const fieldParts = {
  label: classes["label"] ?? "",
  description: classes["hint"] ?? "",
  error: classes["message"] ?? "",
  wrapper: classes["wrapper"] ?? "",
};

/** Around fields: as many on a line as fit. */
export const fieldGrid = classes["grid"] ?? "";
/** Around fields of one thing: all on one line. */
export const fieldsBeside = classes["beside"] ?? "";

/** The value of a select's last line that is no choice, but leads to more of them. */
export const MORE = " more";
