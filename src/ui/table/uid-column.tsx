import { Uid } from "../display/uid";
import type { Column } from "./types";

/** The uid, for matching a row with logs and commands. */
export const uidColumn: Column<{ readonly uid: string }> = {
  id: "uid",
  header: "uid",
  width: "11rem",
  optional: true,
  cell: ({ uid }) => <Uid value={uid} plain />,
  text: ({ uid }) => uid,
};
