import { ChevronDownIcon } from "lucide-react";
import { useSyncExternalStore, type ReactNode } from "react";

import { usePerson } from "~/auth/use-session";
import { onDemand } from "~/ui/on-demand";

import { currentCommand, openCommand, subscribeCommand } from "~/shell/command/opened";
import styles from "~/shell/header.module.css";
import { HeaderPopover } from "~/shell/popover";

/** Fetched when the pointer or the focus reaches the button: most visits never open it. */
const WhoSheet = onDemand(async () => (await import("./who-sheet")).WhoSheet);

/** "Olivia Brandt": OB; "auditor@demo.example": AU. */
function initialsOf(name: string): string {
  const [first = "", ...more] = name.split(/[\s.@_-]+/).filter(Boolean);
  const last = name.includes("@") ? undefined : more.at(-1);
  const letters = last === undefined ? [...first].slice(0, 2) : [[...first][0], [...last][0]];
  return letters.join("").toLocaleUpperCase("en");
}

/** The "Your account" button and the sheet that it opens. */
export function WhoMenu({ accountPages }: { readonly accountPages: string | undefined }): ReactNode {
  const { name, email, subject } = usePerson();
  const open = useSyncExternalStore(subscribeCommand, currentCommand) === "account";
  const called = name ?? email ?? subject;
  return (
    <HeaderPopover
      label="Your account"
      title={`Your account: ${called}`}
      side="end"
      opened={[open, (next) => openCommand(next ? "account" : undefined)]}
      onNear={WhoSheet.preload}
      button={
        <>
          <span className={styles["avatar"]} aria-hidden="true">
            {initialsOf(called)}
          </span>
          <span className={`${styles["text"]} ${styles["person"]}`}>{called}</span>
          <ChevronDownIcon size={16} className={styles["caret"] ?? ""} />
        </>
      }
    >
      {(close) => <WhoSheet accountPages={accountPages} onFollow={close} />}
    </HeaderPopover>
  );
}
