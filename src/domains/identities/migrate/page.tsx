import { type ReactNode, useEffect, useRef } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";

import { useRefusedAt } from "~/frame/permissions/use-can";
import { identities } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { ChooseGroup } from "~/frame/scope/choose-group";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useTitle } from "~/frame/scope/title";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { shorten } from "~/ui/display/shorten";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Page, PageHeader } from "~/ui/layout/page";
import { Tabs } from "~/ui/layout/tabs";
import type { LinkTarget } from "~/ui/layout/link";
import { onDemand } from "~/ui/on-demand";
import { retryPolicyOf } from "~/api/paging/retry-policy";
import { useJobOpen } from "~/frame/bulk-delete/use-job-open";

import { NewRules } from "./new-rules";
import { readMigrateSearch } from "./search";
import { readPlace } from "./read";

/** Reads the identities of a group and their roles, again after each job. */
function usePlace(group: string) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["migrate", group],
    queryFn: ({ signal }) => readPlace(group, { retryPolicy: retryPolicyOf(client), signal }),
    // A plan is about what was read: it changes only when a job has ended or the user reads again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { refetch } = query;
  const jobOpen = useJobOpen();
  const wasOpen = useRef(jobOpen);
  useEffect(() => {
    if (wasOpen.current && !jobOpen) void refetch();
    wasOpen.current = jobOpen;
  }, [jobOpen, refetch]);
  return query;
}

/** The second step is taken on another day. */
const Retire = onDemand(async () => (await import("./retire")).Retire);

const TITLE = "Migrate CI";
const STEPS = ["New rules", "Retire the old"] as const;

const stepLink = (step: "retire" | undefined): LinkTarget => ({
  to: "/migrate",
  search: (now: object) => ({ ...now, step }),
});

/** Moves the identities of CI jobs to another CI system, owner or issuer, side by side until the old ones are retired. */
export function Migrate(): ReactNode {
  const { step } = useCleanAddress(readMigrateSearch);
  useTitle(TITLE);
  const { group: place, known } = useChosenGroup();
  const { group: folder } = useGroup(place);
  const refusedRoles = useRefusedAt(roleBindings.list, [place]);
  const refused = useRefusedAt(identities.list, [place]) ?? refusedRoles;
  const name = folder?.name ?? (place === undefined ? "" : shorten(place));
  return (
    <Page>
      <PageHeader
        icon={iconOf("identities")}
        title={TITLE}
        description={
          place === undefined ? (
            "Move identities to another CI system, owner or issuer."
          ) : (
            <>
              Move identities in <bdi>{name}</bdi> to another CI system, owner or issuer.
            </>
          )
        }
      />
      <Tabs
        label="Steps"
        current={STEPS[step === "retire" ? 1 : 0]}
        tabs={[
          { label: STEPS[0], link: stepLink(undefined) },
          { label: STEPS[1], link: stepLink("retire") },
        ]}
      />
      {place === undefined ? (
        known ? (
          <ChooseGroup>Choose an organization or folder first.</ChooseGroup>
        ) : null
      ) : refused ? (
        <HiddenByRole {...refused} />
      ) : (
        <Steps key={place} place={place} retire={step === "retire"} />
      )}
    </Page>
  );
}

function Steps({ place, retire }: { readonly place: string; readonly retire: boolean }): ReactNode {
  const { data, error, isFetching, refetch } = usePlace(place);
  const again = () => void refetch();
  if (error) return <FailedPart title="The identities couldn't be read" error={error} onRetry={again} />;
  if (!data) return <p role="status">Reading identities and their roles…</p>;
  const Step = retire ? Retire : NewRules;
  return <Step group={place} place={data} reading={isFetching} onReadAgain={again} />;
}
