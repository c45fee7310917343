import { LogOutIcon } from "lucide-react";
import { Button } from "@mantine/core";
import { linkOptions, useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";
import { ColorSchemeSwitch } from "~/ui/layout/color-scheme";
import { AppLink } from "~/ui/layout/link";
import { usePerson } from "~/auth/use-session";
import { uidToParam } from "~/frame/scope/uid-param";
import { WhoPanel } from "~/domains/access/current-user/who-panel";
import { openCommand, type OpenedCommand } from "~/shell/command/opened";
import styles from "~/shell/header.module.css";

import { useSignOut } from "./use-sign-out";

const PREFERENCES = linkOptions({ to: "/preferences" });
const ELIGIBLE = linkOptions({ to: "/eligible" });
const ENDINGS = linkOptions({ to: "/endings" });
const API = linkOptions({ to: "/api" });
const STATUS = linkOptions({ to: "/status" });
const overviewOf = (group: string) => linkOptions({ to: "/", search: { group: uidToParam(group) } });

interface WhoSheetProps {
  /** Address of the pages about one's account, if they are this service's. */
  readonly accountPages: string | undefined;
  /** Closes the sheet after a link is followed. */
  readonly onFollow: () => void;
}

/** The user's name, the color scheme, the pages about them, and the sign-out button; technical facts in a fold. */
export function WhoSheet({ accountPages, onFollow }: WhoSheetProps): ReactNode {
  const { leaving, signOut } = useSignOut();
  const { name, email } = usePerson();
  const { config } = useRouteContext({ from: "__root__" });
  const open = (what: OpenedCommand) => {
    onFollow();
    openCommand(what);
  };
  return (
    <div className={styles["sheet"]}>
      <div className={styles["who"]}>
        <p>{name ?? email ?? "Signed in"}</p>
        {name !== undefined && email !== undefined && <p>{email}</p>}
      </div>
      <ColorSchemeSwitch />
      <ul className={styles["places"]}>
        <li>
          <AppLink target={PREFERENCES} onClick={onFollow}>
            Preferences
          </AppLink>
        </li>
        {config.eligibleGrants && (
          <li>
            <AppLink target={ELIGIBLE} onClick={onFollow}>
              Access you can switch on
            </AppLink>
          </li>
        )}
        {config.notices && (
          <li>
            <AppLink target={ENDINGS} onClick={onFollow}>
              What ends soon
            </AppLink>
          </li>
        )}
        {accountPages !== undefined && (
          <>
            <li>
              <a href={`${accountPages}/security`}>Second factors</a>
            </li>
            <li>
              <a href={`${accountPages}/password`}>Change password</a>
            </li>
            {config.mail && (
              <li>
                <a href={`${accountPages}/email`}>Email address</a>
              </li>
            )}
          </>
        )}
        {config.readTime && (
          <li>
            <button type="button" aria-haspopup="dialog" onClick={() => open("moment")}>
              See the console as of a moment
            </button>
          </li>
        )}
        <li>
          <button type="button" onClick={() => open("shortcuts")}>
            Keyboard shortcuts
          </button>
        </li>
        <li>
          <AppLink target={API} onClick={onFollow}>
            API explorer
          </AppLink>
        </li>
        <li>
          <AppLink target={STATUS} onClick={onFollow}>
            Platform status
          </AppLink>
        </li>
        {config.supportUrl !== undefined && (
          <li>
            <a href={config.supportUrl}>Support</a>
          </li>
        )}
        {config.imprintUrl !== undefined && (
          <li>
            <a href={config.imprintUrl}>Imprint</a>
          </li>
        )}
      </ul>
      <details className={styles["details"]}>
        <summary>Roles and session</summary>
        <WhoPanel linkTo={overviewOf} onFollow={onFollow} />
      </details>
      <div className={styles["actions"]}>
        <Button variant="default" leftSection={<LogOutIcon size={16} />} loading={leaving} onClick={signOut}>
          Sign out
        </Button>
      </div>
    </div>
  );
}
