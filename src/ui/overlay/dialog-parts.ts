import classes from "./dialog.module.css";

/** Our classes for the parts of Mantine's Modal; given to the root, since its Content hands a class to its frame too. */
export const dialogParts = {
  overlay: classes["backdrop"] ?? "",
  content: classes["content"] ?? "",
  title: classes["title"] ?? "",
  body: classes["body"] ?? "",
};
