import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { linkOptions, useRouteContext } from "@tanstack/react-router";
import { BellIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useCleanAddress } from "~/frame/clean-address";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useRefusal } from "~/frame/permissions/use-can";
import { useScreenList } from "~/frame/request-inspector/record-actions";
import { groupPage } from "~/frame/scope/group-link";
import { useTitle } from "~/frame/scope/title";
import { MOST_ENDINGS, NOTICE_DAYS, type Ending } from "platform-contract/iam/notices";
import "~/ui/controls/button-styles";
import { FactTable } from "~/ui/display/fact-table";
import { formatCount } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { ExactTimes, Time } from "~/ui/display/time";
import { Empty } from "~/ui/feedback/empty";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";

import { endingsQuery, endingWords } from "./data";
import { keepOf } from "./keep";
import classes from "./styles.module.css";

const TITLE = "What ends soon";
const PREFERENCES = linkOptions({ to: "/preferences" });
const DAYS = NOTICE_DAYS[0];

/** What the user owns that ends by itself within 30 days, and what keeps it. */
export function EndingsPage(): ReactNode {
  useCleanAddress(Object);
  useTitle(TITLE);
  const { config } = useRouteContext({ from: "__root__" });
  return (
    <Page>
      <PageHeader
        icon={BellIcon}
        title={TITLE}
        description={`Within ${DAYS} days: your roles and invites, keys and roles of your machines, and what nobody else owns in your folders.`}
        actions={
          config.notices ? (
            <Button variant="default" component={AppLink} target={PREFERENCES}>
              Mail settings
            </Button>
          ) : null
        }
      />
      {config.notices ? (
        <Endings />
      ) : (
        <Notice>
          This service doesn&apos;t tell what ends soon. The overview counts keys, invites and syncs that end.
        </Notice>
      )}
    </Page>
  );
}

function Endings(): ReactNode {
  const { data, error, refetch } = useQuery(endingsQuery);
  useScreenList(endingsQuery.queryKey);
  if (error && !data)
    return <FailedPart title="What ends soon couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data)
    return (
      <p role="status" className={classes["quiet"]}>
        Loading…
      </p>
    );
  const { endings = [], more = false } = data;
  if (endings.length === 0)
    return (
      <Empty icon={<BellIcon size={24} />} title={`Nothing of yours ends within ${DAYS} days`}>
        You see keys, roles, invites, syncs and SCIM tokens here {DAYS} days before they end, and access
        reviews that wait for you.
      </Empty>
    );
  return (
    <>
      <EndingTable endings={endings} />
      {more ? (
        <p className={classes["quiet"]}>
          These are the first {formatCount(MOST_ENDINGS)}. The others end later.
        </p>
      ) : null}
    </>
  );
}

function EndingTable({ endings }: { readonly endings: readonly Ending[] }): ReactNode {
  const refusal = useRefusal();
  const { bindings } = useCurrentUser();
  const { config } = useRouteContext({ from: "__root__" });
  const around = {
    refusal,
    own: new Set(bindings.map(({ uid }) => uid)),
    asks: config.accessRequests,
  };
  return (
    <ExactTimes value>
      <FactTable
        caption={TITLE}
        stacks
        head={["What", "Where", "Ends", ""]}
        rows={endings.map((ending) => {
          const { topic, uid, groupUid, groupName, endTime } = ending;
          const { name, kind, link } = endingWords(ending);
          const keep = keepOf(ending, around);
          const named = <bdi>{name}</bdi>;
          return [
            <span key={`${topic} ${uid}`} className={classes["what"]}>
              {link ? <AppLink target={link}>{named}</AppLink> : named}
              <span className={classes["kind"]}>{kind}</span>
            </span>,
            groupUid === undefined ? undefined : (
              <AppLink key="where" target={groupPage(groupUid)}>
                <bdi>{groupName || shorten(groupUid)}</bdi>
              </AppLink>
            ),
            <span key="when">
              <Time value={endTime} />
            </span>,
            keep ? (
              <Button
                key="keep"
                variant="default"
                size="compact-sm"
                component={AppLink}
                target={keep.link}
                aria-label={`${keep.label}: ${name}`}
              >
                {keep.label}
              </Button>
            ) : (
              " "
            ),
          ];
        })}
      />
    </ExactTimes>
  );
}
