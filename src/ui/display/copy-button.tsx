import { CheckIcon, CopyIcon } from "lucide-react";
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
export function CopyButton({ value, what, tip = `Copy ${what}`, className }: CopyButtonProps) {
  const register = use(OwnCopy);
  useLayoutEffect(() => register?.(), [register]);
  const { state, copy } = useCopy(what);
  const shown = { ready: tip, copied: "Copied", refused: "Your browser blocked copying" }[state];
  return (
    <IconButton label={`Copy ${what}`} tip={shown} className={className} onClick={() => void copy(value)}>
      {state === "copied" ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
    </IconButton>
  );
}
