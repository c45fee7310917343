import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useRefusedAt } from "~/frame/permissions/use-can";
import type { ApiError } from "platform-client/errors";
import { tags } from "platform-contract/registry/tags";
import { repoQuery } from "~/domains/registry/references/repo-query";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { ChooseGroup } from "~/frame/scope/choose-group";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useTitle } from "~/frame/scope/title";
import { paramToUid } from "~/frame/scope/uid-param";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { isGone } from "~/frame/record/record-page";
import { shorten } from "~/ui/display/shorten";
import { NotFound } from "~/ui/feedback/empty";
import { Page, PageHeader } from "~/ui/layout/page";
import { onDemand } from "~/ui/on-demand";
import { readRetentionSearch } from "./search";
import { PlaceRule } from "./service/place-rule";
import { AllRules } from "./service/rules-list";
import { useRunsRules } from "./service/use-runs-rules";

/** Of services that run no rules. */
const PlaceRules = onDemand(async () => (await import("./place-rules")).PlaceRules);
const Report = onDemand(async () => (await import("./service/report")).Report);

const TITLE = "Retention";

/** The rule by which the service deletes tags of a repo or folder; of other services, a preview that deletes what it chose. */
export function Retention(): ReactNode {
  const search = useCleanAddress(readRetentionSearch);
  useTitle(TITLE);
  const { group, known } = useChosenGroup();
  const repo = search.repo === undefined ? undefined : paramToUid(search.repo);
  const place = repo ?? group;
  const runs = useRunsRules();
  const Place = runs ? PlaceRule : PlaceRules;
  const { data: record, error } = useQuery({ ...repoQuery(repo ?? ""), enabled: repo !== undefined });
  const { group: folder } = useGroup(repo === undefined ? place : undefined);
  const unlisted = useRefusedAt(tags.list, [place]);
  const gone = isGone(error) ? (error as ApiError) : undefined;
  const refused =
    unlisted ??
    (gone?.code === "PERMISSION_DENIED" ? { group: repo, capability: gone.missingCapability } : undefined);
  const name = (repo === undefined ? folder?.name : record?.name) ?? (place ? shorten(place) : "");
  return (
    <Page>
      <PageHeader
        icon={iconOf("tags")}
        title={TITLE}
        description={
          place === undefined ? (
            "Delete old tags by a rule, after a preview."
          ) : (
            <>
              Delete old tags {repo === undefined ? "in" : "of"} <bdi>{name}</bdi> by a rule, after a preview.
            </>
          )
        }
      />
      {place === undefined ? (
        known ? (
          <>
            <ChooseGroup>Choose an organization or folder, or open this from a repo's tags.</ChooseGroup>
            {runs ? <AllRules /> : null}
          </>
        ) : null
      ) : refused ? (
        <HiddenByRole {...refused} />
      ) : gone ? (
        <NotFound kind="repo" sought={repo} />
      ) : runs && search.run !== undefined ? (
        <Report run={paramToUid(search.run)} place={place} isRepo={repo !== undefined} />
      ) : (
        <Place key={place} place={place} isRepo={repo !== undefined} />
      )}
    </Page>
  );
}
