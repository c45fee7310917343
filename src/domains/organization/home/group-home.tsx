import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { iconOf } from "~/frame/kind-icons";
import { groupPage } from "~/frame/scope/group-link";
import { useGroup } from "~/frame/scope/group-ancestry";
import { useTitle } from "~/frame/scope/title";
import { GroupBadges } from "~/frame/scope/group-badges";
import { kindOf } from "~/frame/scope/group-words";
import "~/ui/controls/button-styles";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";

import { Home } from "./home";
import { YourPermissions } from "./your-permissions";

/** The home page of a group, including its subfolders. */
export function GroupHome({ uid }: { readonly uid: string }): ReactNode {
  const { group, error } = useGroup(uid);
  useTitle(group?.name);
  if (error && !group) throw error;

  return (
    <Page pending={group === undefined}>
      <PageHeader
        title={group?.name || shorten(uid)}
        icon={iconOf(kindOf(uid))}
        badges={group && <GroupBadges group={group} />}
        actions={
          <Button variant="default" component={AppLink} target={groupPage(uid)}>
            View details
          </Button>
        }
        description={group ? group.description : "Loading…"}
      />
      <Home key={uid} group={uid}>
        <Section title="Your access">
          <YourPermissions uid={uid} />
        </Section>
      </Home>
    </Page>
  );
}
