import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { capitalize } from "~/resource/define";
import { iconOf } from "~/resource/kind-icons";
import { groupPage } from "~/features/scope/group-link";
import { useGroup } from "~/features/scope/group-ancestry";
import { useTitle } from "~/features/scope/title";
import { kindOf, organizationStatus } from "~/screens/groups/words";
import "~/ui/controls/button-styles";
import { Badge } from "~/ui/display/badge";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";

import { Home } from "./home";
import { WhatYouMayDo } from "./what-you-may-do";

/** The home page of a group, including its subfolders. */
export function GroupHome({ uid }: { readonly uid: string }): ReactNode {
  const { group, error } = useGroup(uid);
  useTitle(group?.name);
  if (error && !group) throw error;

  const status = organizationStatus(group?.status);
  return (
    <Page pending={group === undefined}>
      <PageHeader
        title={group?.name || shorten(uid)}
        icon={iconOf(kindOf(uid))}
        badges={
          group && (
            <>
              <Badge tone="quiet">{capitalize(kindOf(uid))}</Badge>
              {group.verified && <Badge tone="accent">Verified</Badge>}
              {status && status.tone !== "success" && <Badge tone={status.tone}>{status.word}</Badge>}
            </>
          )
        }
        actions={
          <Button variant="default" component={AppLink} target={groupPage(uid)}>
            View details
          </Button>
        }
        description={group ? group.description : "Loading…"}
      />
      <Home key={uid} group={uid}>
        <Section title="Your access">
          <WhatYouMayDo uid={uid} />
        </Section>
      </Home>
    </Page>
  );
}
