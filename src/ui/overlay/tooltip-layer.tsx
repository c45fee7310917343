import { Tooltip } from "@mantine/core";
import { useEffect, useLayoutEffect, useState } from "react";

import "@mantine/core/styles/Tooltip.css";
import { watchTips, type Tip } from "./tooltip-requests";
import classes from "./tooltip.module.css";

const ID = "pc-tooltip";

/** The present tooltip, if any. `takeMissed`: returns the input events from before this was loaded. */
export function TooltipLayer({ takeMissed }: { takeMissed: () => readonly Event[] }) {
  const [tip, setTip] = useState<Tip>();
  useEffect(() => watchTips(setTip, takeMissed()), [takeMissed]);
  const described = tip?.described;
  useLayoutEffect(() => {
    described?.setAttribute("aria-describedby", ID);
    return () => described?.removeAttribute("aria-describedby");
  }, [described]);
  if (!tip) return null;
  // Outside of an open dialog, the tooltip would be hidden behind it.
  const dialog = tip.anchor.closest("dialog");
  return (
    <Tooltip
      target={tip.anchor}
      opened
      label={<span id={ID}>{tip.text}</span>}
      multiline
      interactive
      floatingStrategy="fixed"
      classNames={classes}
      {...(dialog && { portalProps: { target: dialog } })}
    />
  );
}
