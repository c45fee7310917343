import { Button } from "@mantine/core";
import { PlusIcon, SearchIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import type { Endpoint } from "platform-contract/endpoint";
import { Ask } from "~/domains/vulnerabilities/advisories/ask";
import { KINDS } from "platform-contract/kinds";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { AppLink } from "~/ui/layout/link";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { listOf } from "./holdings";
import { hiddenText, type HiddenKinds } from "./use-hidden-kinds";
import styles from "./styles.module.css";

interface QuickActionsProps {
  /** uid; if undefined, the forms ask for the group. */
  readonly group: string | undefined;
  readonly hidden: HiddenKinds;
}

interface Creatable {
  readonly collection: string;
  readonly access: { readonly create: Endpoint["access"] };
}

/** Links to the most used forms, and to the two most common questions. */
export function QuickActions({ group, hidden }: QuickActionsProps): ReactNode {
  const refusal = useRefusal();
  const reasonOf = (collection: string): string | undefined => {
    const capability = hidden.missing.get(collection);
    return capability && hiddenText(capability);
  };
  const form = (label: string, { collection, access }: Creatable, drawer = "create") => (
    <DisabledReason reason={refusal({ access: access.create }, drawer === "create" ? group : "")}>
      <Button
        variant="default"
        leftSection={<PlusIcon size={14} />}
        component={AppLink}
        target={listOf(collection, group, { drawer })}
      >
        {label}
      </Button>
    </DisabledReason>
  );
  return (
    <Section title="Quick actions">
      <div className={styles["actions"]}>
        {form("Grant access", KINDS.roleBindings)}
        {form("Invite", KINDS.groupInvites)}
        {form("Create repo", KINDS.repos)}
        {form("Create identity", KINDS.identities)}
        {group === undefined
          ? form("Create organization", KINDS.groups, "create-organization")
          : form("Create folder", KINDS.groups)}
        <DisabledReason reason={reasonOf("identities")}>
          <Button
            variant="default"
            leftSection={<SearchIcon size={14} />}
            component={AppLink}
            target={listOf("identities", group, { drawer: "test-token" })}
          >
            Test a token
          </Button>
        </DisabledReason>
      </div>
      <div className={styles["ask"]}>
        <Ask refused={reasonOf("advisories")} />
      </div>
    </Section>
  );
}
