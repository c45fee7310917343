import { use, useLayoutEffect } from "react";

import { IconButton } from "../controls/icon-button";
import { OwnCopy } from "./own-copy";
import { useCopy } from "./use-copy";

interface CopyButtonProps {
  value: string;
  /** Name of the value: "uid" makes "Copy uid". */
  what: string;
  /** Tooltip before copying; default: the label. */
  tip?: string;
  className?: string | undefined;
}

/** Copies, and confirms with a check mark, the tooltip and an announcement. */
export function CopyButton({ value, what, tip: ready, className }: CopyButtonProps) {
  const register = use(OwnCopy);
  useLayoutEffect(() => register?.(), [register]);
  const { copy, icon, tip } = useCopy(what, ready);
  return (
    <IconButton label={`Copy ${what}`} tip={tip} className={className} onClick={() => void copy(value)}>
      {icon}
    </IconButton>
  );
}
