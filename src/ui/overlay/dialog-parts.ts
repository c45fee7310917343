import classes from "./dialog.module.css";

/** Our classes for the parts of Mantine's Modal; for the root, since Content also passes a class to its frame. */
export const dialogParts = {
  overlay: classes["backdrop"] ?? "",
  content: classes["content"] ?? "",
  title: classes["title"] ?? "",
  body: classes["body"] ?? "",
};
