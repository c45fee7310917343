import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import { Badge } from "~/ui/display/badge";
import "~/ui/controls/button-styles";
import { DefinitionList } from "~/ui/display/definition-list";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";
import { Section } from "~/ui/display/section";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { Uid } from "~/ui/display/uid";
import { groupPage } from "~/features/scope/group-link";
import { useGroup } from "~/features/scope/group-ancestry";
import { useTitle } from "~/features/scope/title";

import { kindOf, organizationKind, organizationStatus } from "~/screens/groups/words";
import { capitalize } from "~/resource/define";
import { GroupCounts } from "./group-counts";
import styles from "./overview.module.css";
import { AskAffected } from "./ask-affected";
import { WhatYouMayDo } from "./what-you-may-do";

/** One group at a glance: facts, counts and the person's access. */
export function GroupOverview({ uid }: { readonly uid: string }): ReactNode {
  const { group, error } = useGroup(uid);
  useTitle(group?.name);
  if (error && !group) throw error;

  const status = organizationStatus(group?.status);
  const kind = organizationKind(group?.kind);
  return (
    <Page>
      <PageHeader
        title={group?.name || shorten(uid)}
        badges={
          <>
            <Badge>{capitalize(kindOf(uid))}</Badge>
            {group?.verified && <Badge tone="accent">Verified</Badge>}
            {status && status.tone !== "success" && <Badge tone={status.tone}>{status.word}</Badge>}
          </>
        }
        meta={<Uid value={uid} />}
        actions={
          <Button variant="default" component={AppLink} target={groupPage(uid)}>
            View details
          </Button>
        }
        {...(group?.description && { description: group.description })}
      />
      <GroupCounts uid={uid} />
      <AskAffected />
      <Section title="About">
        <div className={styles["facts"]}>
          <DefinitionList
            items={[
              { term: "Created", value: group && <Time value={group.createTime} /> },
              { term: "Updated", value: group && <Time value={group.updateTime} /> },
              ...(kind ? [{ term: "Kind", value: kind }] : []),
              ...(status ? [{ term: "Status", value: status.word }] : []),
            ]}
          />
        </div>
      </Section>
      {/* Last: its height is unknown until it is loaded. */}
      <Section title="Your access">
        <WhatYouMayDo uid={uid} />
      </Section>
    </Page>
  );
}
