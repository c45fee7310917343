import type { ReactNode } from "react";

import { wordFor } from "~/frame/scope/group-words";
import { kindOf } from "platform-contract/kinds";
import { Page, PageHeader } from "~/ui/layout/page";

import classes from "./pending-screen.module.css";
import { SCREENS } from "./screens";
import { useCollection, useRecord } from "./use-current";

/** Widths of the bars: different, so that they do not look like lines of a form. */
const WIDTHS = ["62%", "38%", "74%", "51%", "45%", "68%"];

/** Takes the place of the last screen when the code of the next one is slow to load. */
export function PendingScreen(): ReactNode {
  const record = useRecord();
  const collection = useCollection();
  const { label, icon } = SCREENS.find((each) => each.collection === collection) ?? {};
  const kind = collection === undefined ? undefined : kindOf(collection);
  const title = record && kind ? wordFor(kind, record.uid) : label;
  return (
    <Page>
      <PageHeader icon={icon} title={title ?? "Loading…"} description={title && "Loading…"} />
      <div className={classes["bars"]} aria-busy="true">
        {WIDTHS.map((width) => (
          <span key={width} style={{ width }} />
        ))}
      </div>
    </Page>
  );
}
