import type { ReactNode } from "react";

import type { Operation } from "~/api/openapi/document";
import { Badge, type BadgeTone } from "~/ui/display/badge";

import styles from "./api-explorer.module.css";

const TONES: Readonly<Partial<Record<Operation["method"], BadgeTone>>> = { GET: "quiet", DELETE: "danger" };

/** The HTTP method of an operation. */
export const Method = ({ method }: Pick<Operation, "method">): ReactNode => (
  <span className={styles["method"]}>
    <Badge tone={TONES[method] ?? "neutral"}>{method}</Badge>
  </span>
);
