import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import { XIcon } from "lucide-react";
import type { ReactNode } from "react";

import { one } from "~/api/queries/queries";
import { IdentityFilter } from "~/domains/access/grants/filter-controls";
import { identityWords } from "~/domains/access/grants/identity-words";
import { useIdentities } from "~/domains/access/grants/use-identities";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useScreenList } from "~/frame/request-inspector/record-actions";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { useTitle } from "~/frame/scope/title";
import { paramToUid } from "~/frame/scope/uid-param";
import { useView } from "~/frame/use-view";
import { isWithin, parentOf } from "platform-contract/aip";
import { repos } from "platform-contract/registry/repos";
import { FilterSelect } from "~/ui/controls/filters";
import { IconButton } from "~/ui/controls/icon-button";
import { shorten } from "~/ui/display/shorten";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";

import { Answer } from "./answer";
import { ACT_CHOICES, actOf, decisionQuery, readDecisionSearch, type DecisionSearch } from "./data";
import classes from "./styles.module.css";

const TITLE = "Can they do that?";

/** Whether somebody can do something with a repo or folder, why, and what would change it. */
export function Decisions(): ReactNode {
  const search = useCleanAddress(readDecisionSearch);
  const { show } = useView<DecisionSearch & { drawer?: undefined }>();
  useTitle(TITLE);
  const { group, known } = useChosenGroup();
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  return (
    <Page>
      <PageHeader
        icon={iconOf("roleBindings")}
        title={TITLE}
        description="Which role binding lets a person or machine do something, or what is missing and what would change it."
      />
      <div className={classes["question"]}>
        <IdentityFilter
          label="Who"
          none="you"
          value={search.identity}
          group={group}
          onChange={(identity) => show({ identity })}
        />
        <FilterSelect
          label="Can"
          value={actOf(search).name}
          options={ACT_CHOICES}
          onChange={(act) => show({ act })}
        />
        {search.on === undefined ? null : (
          <InRepo uid={paramToUid(search.on)} onClear={() => show({ on: undefined })} />
        )}
      </div>
      {config?.accessDecisions !== true ? (
        <Notice>
          This service doesn&apos;t explain access. “Who has access” of a folder or repo lists the role
          bindings.
        </Notice>
      ) : search.on !== undefined ? (
        <AboutRepo uid={paramToUid(search.on)} search={search} />
      ) : group !== undefined ? (
        <AboutGroup uid={group} search={search} />
      ) : known ? (
        <Notice>Choose an organization or folder, or open this from the menu of a repo.</Notice>
      ) : null}
    </Page>
  );
}

const repoQuery = (uid: string) => one(repos.get, { uid });

function InRepo({ uid, onClear }: { readonly uid: string; readonly onClear: () => void }): ReactNode {
  const { data } = useQuery(repoQuery(uid));
  return (
    <span className={classes["on"]}>
      in repo <bdi>{data?.name ?? shorten(uid)}</bdi>
      <IconButton label="Ask about the folder instead" onClick={onClear}>
        <XIcon size={14} />
      </IconButton>
    </span>
  );
}

interface AboutProps {
  readonly uid: string;
  readonly search: DecisionSearch;
}

function AboutRepo(props: AboutProps): ReactNode {
  const { data, isPending } = useQuery(repoQuery(props.uid));
  if (isPending) return <p className={classes["quiet"]}>Loading…</p>;
  return <Asked {...props} where={`repo ${data?.name ?? shorten(props.uid)}`} />;
}

function AboutGroup(props: AboutProps): ReactNode {
  const { state, bindings } = useCurrentUser();
  // Where they have no role, its name would be refused.
  const isIn = bindings.some((binding) => isWithin(props.uid, parentOf(binding.uid)));
  const { group, error } = useGroup(isIn ? props.uid : undefined);
  if (state === "loading" || (isIn && !group && !error)) return <p className={classes["quiet"]}>Loading…</p>;
  return <Asked {...props} where={group?.name ?? shorten(props.uid)} />;
}

function Asked({ uid, search, where }: AboutProps & { readonly where: string }): ReactNode {
  const identity = search.identity === undefined ? undefined : paramToUid(search.identity);
  const act = actOf(search);
  const asked = decisionQuery(uid, act.capabilities, identity);
  const { data, error, refetch } = useQuery(asked);
  useScreenList(asked.queryKey);
  const { known } = useIdentities(identity === undefined ? [] : [identity]);
  const who = identity === undefined ? "You" : identityWords(identity, known.get(identity)).name;
  if (error && !data)
    return <FailedPart title="The answer couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data) return <p className={classes["quiet"]}>Loading…</p>;
  return <Answer question={{ identity, who, act: act.label, where }} answer={data} />;
}
