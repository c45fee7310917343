import classes from "./fields.module.css";

/** Class names for the parts of a Mantine field. */
export const fieldParts = {
  label: classes["label"] ?? "",
  description: classes["hint"] ?? "",
  error: classes["message"] ?? "",
  wrapper: classes["wrapper"] ?? "",
};
