import { useRouteContext } from "@tanstack/react-router";
import { PanelLeftCloseIcon, PanelLeftOpenIcon, MenuIcon } from "lucide-react";
import type { ReactNode } from "react";

import { IconButton } from "~/ui/controls/icon-button";
import { AppLink } from "~/ui/layout/link";
import { InspectorButton } from "~/frame/request-inspector/inspector-button";

import { BreadcrumbBar } from "~/shell/navigation/breadcrumb-bar";
import { CommandBar } from "./command/command-bar";
import styles from "./header.module.css";
import { OrganizationSwitcher } from "~/shell/navigation/organization-switcher";
import { EndingsBell } from "~/shell/endings/endings-bell";
import { SeenErrors } from "~/shell/errors/seen-errors";
import { WhoMenu } from "~/shell/session/who-menu";

/** The way home, where there is no room for the name. */
function Mark(): ReactNode {
  return (
    <AppLink target={{ to: "/" }} className={styles["mark"]}>
      <img src="favicon.svg" alt="Overview" width={22} height={22} />
    </AppLink>
  );
}

/** The head of the navigation. */
export function Brand(): ReactNode {
  const { config } = useRouteContext({ from: "__root__" });
  return (
    <AppLink target={{ to: "/" }} className={styles["brand"]}>
      <img src="favicon.svg" alt="" width={22} height={22} />
      <span className={styles["brandName"]}>{config.title}</span>
    </AppLink>
  );
}

/** The top bar: the organization on display, search, and the signed-in user. */
export function Header(props: {
  /** True if the navigation is next to the page, false if in a drawer. */
  readonly wide: boolean;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** Of the pages about one's account. */
  readonly accountPages: string | undefined;
}): ReactNode {
  const { wide, open, onToggle, accountPages } = props;
  const { config } = useRouteContext({ from: "__root__" });
  const shown = open ? <PanelLeftCloseIcon size={16} /> : <PanelLeftOpenIcon size={16} />;
  return (
    <header className={styles["header"]}>
      {wide && !open && <Mark />}
      <IconButton
        label={open && wide ? "Hide navigation" : "Show navigation"}
        aria-haspopup={wide ? undefined : "dialog"}
        onClick={onToggle}
      >
        {wide ? shown : <MenuIcon size={16} />}
      </IconButton>
      <OrganizationSwitcher />
      {wide && <BreadcrumbBar />}
      <div className={styles["spring"]} />
      <CommandBar />
      {config.notices ? <EndingsBell /> : null}
      <SeenErrors />
      <InspectorButton />
      <WhoMenu accountPages={accountPages} />
    </header>
  );
}
