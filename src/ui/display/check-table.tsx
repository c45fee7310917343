import type { ReactNode } from "react";

import classes from "./check-table.module.css";
import { FactTable } from "./fact-table";
import { State } from "./state";

/** One of several things that have to be right together. */
export interface Check {
  readonly label: string;
  /** "late": it was right, and time has passed. */
  readonly verdict: "right" | "wrong" | "late" | "unknown";
  readonly text: string;
}

const VERDICTS: Readonly<
  Record<Check["verdict"], readonly [tone: "success" | "danger" | "warning" | "none", word: string]>
> = {
  right: ["success", "Right"],
  wrong: ["danger", "Wrong"],
  late: ["warning", "Expired"],
  unknown: ["none", "Not checked"],
};

/** What was checked, with the reason of each result. */
export const CheckTable = ({ checks }: { readonly checks: readonly Check[] }): ReactNode => (
  <FactTable
    caption="Checks"
    stacks
    head={["Check", "Result", "Why"]}
    rows={checks.map(({ label, verdict, text }) => {
      const [tone, word] = VERDICTS[verdict];
      return [
        label,
        <State key="state" tone={tone}>
          {word}
        </State>,
        <span key="text" className={classes["why"]}>
          {text}
        </span>,
      ];
    })}
  />
);
