import { KeyboardIcon, LogOutIcon } from "lucide-react";
import { Button } from "@mantine/core";
import { linkOptions, useRouteContext } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { LocalTimesSwitch } from "~/ui/display/local-times-switch";
import { ColorSchemeSwitch } from "~/ui/layout/color-scheme";
import { AppLink } from "~/ui/layout/link";
import { uidToParam } from "~/frame/scope/uid-param";
import { AskFirstSwitch } from "~/frame/undo/ask-first-switch";
import { WhoPanel } from "~/domains/access/current-user/who-panel";

import { AboutYou } from "./about-you";
import { openCommand } from "~/shell/command/opened";
import styles from "~/shell/header.module.css";
import { useSignOut } from "./use-sign-out";

const STATUS = linkOptions({ to: "/status" });
const overviewOf = (group: string) => linkOptions({ to: "/", search: { group: uidToParam(group) } });

interface WhoSheetProps {
  /** Address of the pages about one's account, if they are this service's. */
  readonly accountPages: string | undefined;
  /** Closes the sheet after a link is followed. */
  readonly onFollow: () => void;
}

/** The user, their roles, the console's appearance, and the sign-out button. */
export function WhoSheet({ accountPages, onFollow }: WhoSheetProps): ReactNode {
  const { leaving, signOut } = useSignOut();
  const [opened, setOpened] = useState(false);
  const { config } = useRouteContext({ from: "__root__" });
  const shortcuts = () => {
    onFollow();
    openCommand("shortcuts");
  };
  return (
    <div className={styles["sheet"]}>
      <WhoPanel linkTo={overviewOf} onFollow={onFollow} />
      <details onToggle={({ currentTarget }) => setOpened((before) => before || currentTarget.open)}>
        <summary>Company and job title</summary>
        {opened ? <AboutYou /> : null}
      </details>
      <ColorSchemeSwitch />
      <AskFirstSwitch />
      <LocalTimesSwitch />
      <Button variant="default" leftSection={<KeyboardIcon size={16} />} onClick={shortcuts}>
        Keyboard shortcuts
      </Button>
      <AppLink target={STATUS} onClick={onFollow}>
        Platform status
      </AppLink>
      {accountPages !== undefined && config.mail && <a href={`${accountPages}/email`}>Email address</a>}
      {accountPages !== undefined && <a href={`${accountPages}/security`}>Second factors</a>}
      {config.supportUrl !== undefined && <a href={config.supportUrl}>Support</a>}
      {config.imprintUrl !== undefined && <a href={config.imprintUrl}>Imprint</a>}
      <div className={styles["actions"]}>
        <Button variant="default" leftSection={<LogOutIcon size={16} />} loading={leaving} onClick={signOut}>
          Sign out
        </Button>
        {accountPages !== undefined && <a href={`${accountPages}/password`}>Change password</a>}
      </div>
    </div>
  );
}
