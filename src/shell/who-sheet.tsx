import { KeyboardIcon, LogOutIcon } from "lucide-react";
import { Button } from "@mantine/core";
import { linkOptions } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { dropDrafts } from "~/ui/form/drafts";
import { hiddenUids } from "~/api/mutations/hidden";
import { useSession } from "~/auth/use-session";
import "~/ui/controls/button-styles";
import { ColorSchemeSwitch } from "~/ui/layout/color-scheme";
import { AppLink } from "~/ui/layout/link";
import { uidToParam } from "~/features/scope/uid-param";
import { AskFirstSwitch } from "~/features/undo/ask-first-switch";
import { loadUndo } from "~/features/undo/host";
import { WhoPanel } from "~/features/current-user/who-panel";

import { openCommand } from "./command/opened";
import styles from "./header.module.css";

const STATUS = linkOptions({ to: "/status" });
const overviewOf = (group: string) => linkOptions({ to: "/", search: { group: uidToParam(group) } });

/** Milliseconds that signing out waits for pending deletions. */
const PATIENCE = 3000;

interface WhoSheetProps {
  readonly passwordAddress: string | undefined;
  /** Closes the sheet after a link is followed. */
  readonly onFollow: () => void;
}

/** The user, their roles, the console's appearance, and the sign-out button. */
export function WhoSheet({ passwordAddress, onFollow }: WhoSheetProps): ReactNode {
  const session = useSession();
  const [leaving, setLeaving] = useState(false);
  const signOut = () => {
    setLeaving(true);
    // Send pending deletions as the user who requested them.
    const sent = hiddenUids().size > 0 ? loadUndo().then((undo) => undo.sendDeletions(PATIENCE)) : undefined;
    void Promise.resolve(sent)
      .then(() => {
        dropDrafts();
        return session.signOut();
      })
      .finally(() => setLeaving(false));
  };
  const shortcuts = () => {
    onFollow();
    openCommand("shortcuts");
  };
  return (
    <div className={styles["sheet"]}>
      <WhoPanel linkTo={overviewOf} onFollow={onFollow} />
      <ColorSchemeSwitch />
      <AskFirstSwitch />
      <Button variant="default" leftSection={<KeyboardIcon size={16} />} onClick={shortcuts}>
        Keyboard shortcuts
      </Button>
      <AppLink target={STATUS} onClick={onFollow}>
        Platform status
      </AppLink>
      <div className={styles["actions"]}>
        <Button variant="default" leftSection={<LogOutIcon size={16} />} loading={leaving} onClick={signOut}>
          Sign out
        </Button>
        {passwordAddress !== undefined && <a href={passwordAddress}>Change password</a>}
      </div>
    </div>
  );
}
