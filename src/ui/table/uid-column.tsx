import { Uid } from "../display/uid";
import type { Column } from "./types";

/** For whoever works with uids: by them a record is found in a log, and a row again. */
export const uidColumn: Column<{ readonly uid: string }> = {
  id: "uid",
  header: "uid",
  width: "11rem",
  optional: true,
  cell: ({ uid }) => <Uid value={uid} plain />,
  text: ({ uid }) => uid,
};
