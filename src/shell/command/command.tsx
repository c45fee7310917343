import { useRouter } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";

import { openCommand, type Keys, type Opened } from "./opened";
import { Palette } from "./palette";
import { ShortcutSheet } from "./shortcut-sheet";
import { shortcutsOf } from "./shortcuts";
import { useVisits } from "./use-visits";

const close = () => openCommand();

/** The palette or the shortcut sheet. */
export const Command = ({ opened }: { readonly opened: Opened }): ReactNode =>
  opened === "palette" ? <Palette onClose={close} /> : <ShortcutSheet onClose={close} />;

/** Handles keyboard shortcuts, including those pressed before it was loaded, and records visits. */
export function Hands({ keys }: { readonly keys: Keys }): null {
  const router = useRouter();
  useVisits();
  useEffect(() => {
    keys.act = shortcutsOf(router);
    for (const event of keys.early.splice(0)) keys.act(event);
    return () => {
      keys.act = undefined;
    };
  }, [router, keys]);
  return null;
}
