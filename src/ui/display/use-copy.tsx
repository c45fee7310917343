import { CheckIcon, CopyIcon, XIcon } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";

import { announce } from "../feedback/announcer";

const SHOWN_MS = 1500;

interface Copying {
  readonly copy: (value: string) => Promise<void>;
  /** Icon and tooltip of the button: for a moment they tell how it went. */
  readonly icon: ReactNode;
  readonly tip: string;
}

/** Copies, and says so. `what`: "uid"; `tip`: the tooltip before copying. */
export function useCopy(what: string, tip = `Copy ${what}`): Copying {
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  useEffect(() => {
    if (state === "ready") return;
    const timer = setTimeout(() => setState("ready"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (value: string): Promise<void> => {
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
  switch (state) {
    case "ready":
      return { copy, icon: <CopyIcon size={14} />, tip };
    case "copied":
      return { copy, icon: <CheckIcon size={14} />, tip: "Copied" };
    case "refused":
      return { copy, icon: <XIcon size={14} />, tip: "Your browser blocked copying" };
  }
}
