import { useRouter } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";

import { handleKeys, openCommand, type Opened } from "./opened";
import { Palette } from "./palette";
import { ShortcutSheet } from "./shortcut-sheet";
import { shortcutsOf } from "./shortcuts";

const close = () => openCommand();

/** The palette or the shortcut sheet. */
export const Command = ({ opened }: { readonly opened: Opened }): ReactNode =>
  opened === "palette" ? <Palette onClose={close} /> : <ShortcutSheet onClose={close} />;

/** Handles keyboard shortcuts, including those pressed before it was loaded. */
export function ShortcutKeys(): null {
  const router = useRouter();
  useEffect(() => handleKeys(shortcutsOf(router)), [router]);
  return null;
}
