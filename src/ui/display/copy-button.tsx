import { CheckIcon, CopyIcon } from "lucide-react";
import { useEffect, useState } from "react";

import { announce } from "../feedback/announcer";
import { IconButton } from "../controls/icon-button";

const SHOWN_MS = 1500;

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
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  useEffect(() => {
    if (state === "ready") return;
    const timer = setTimeout(() => setState("ready"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setState("copied");
      announce(`Copied ${what}`);
    } catch {
      // No permission, or a page without HTTPS: the user can still select the value.
      setState("refused");
      announce(`Couldn't copy ${what}`);
    }
  };
  const shown = { ready: tip, copied: "Copied", refused: "Your browser blocked copying" }[state];
  return (
    <IconButton label={`Copy ${what}`} tip={shown} className={className} onClick={() => void copy()}>
      {state === "copied" ? <CheckIcon size={14} /> : <CopyIcon size={14} />}
    </IconButton>
  );
}
