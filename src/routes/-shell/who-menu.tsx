import { PersonIcon, SignOutIcon, TriangleDownIcon } from "@primer/octicons-react";
import { Button } from "@mantine/core";
import { linkOptions } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";

import { usePerson, useSession } from "~/auth/use-session";
import "~/kit/button-styles";
import { ColorSchemeSwitch } from "~/kit/color-scheme";
import { uidToParam } from "~/parts/uid-param";
import { WhoPanel } from "~/parts/who-panel";

import styles from "./header.module.css";
import { HeaderPopover } from "./popover";

const overviewOf = (group: string) => linkOptions({ to: "/", search: { group: uidToParam(group) } });

/** Who am I: the person, their roles, the looks of the console, and the way out. */
export function WhoMenu({ passwordAddress }: { readonly passwordAddress: string | undefined }): ReactNode {
  const session = useSession();
  const { name, email, subject } = usePerson();
  const [leaving, setLeaving] = useState(false);
  const called = name ?? email ?? subject;

  const signOut = () => {
    setLeaving(true);
    void session.signOut().finally(() => setLeaving(false));
  };

  return (
    <HeaderPopover
      label="Who am I"
      title={`Who am I: ${called}`}
      side="end"
      button={
        <>
          <PersonIcon size={16} />
          <span className={`${styles["text"]} ${styles["person"]}`}>{called}</span>
          <TriangleDownIcon size={16} className={styles["caret"] ?? ""} />
        </>
      }
    >
      {(close) => (
        <div className={styles["sheet"]}>
          <WhoPanel linkTo={overviewOf} onFollow={close} />
          <ColorSchemeSwitch />
          <div className={styles["actions"]}>
            <Button
              variant="default"
              leftSection={<SignOutIcon size={16} />}
              loading={leaving}
              onClick={signOut}
            >
              Sign out
            </Button>
            {passwordAddress !== undefined && <a href={passwordAddress}>Change password</a>}
          </div>
        </div>
      )}
    </HeaderPopover>
  );
}
