import { useQuery } from "@tanstack/react-query";
import { useRouteContext } from "@tanstack/react-router";
import type { ComponentType, ReactNode } from "react";

import { one } from "~/api/queries/queries";
import { IdentityFilter } from "~/domains/access/grants/filter-controls";
import { identityWords } from "~/domains/access/grants/identity-words";
import { useIdentities } from "~/domains/access/grants/use-identities";
import { useCleanAddress } from "~/frame/clean-address";
import { iconOf } from "~/frame/kind-icons";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { useCan } from "~/frame/permissions/use-can";
import { useScreenList } from "~/frame/request-inspector/record-actions";
import { useChosenGroup } from "~/frame/scope/chosen-group";
import { useGroup } from "~/frame/scope/group-ancestry";
import { ChooseGroup } from "~/frame/scope/choose-group";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useTitle } from "~/frame/scope/title";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { useView } from "~/frame/use-view";
import { isWithin, parentOf } from "platform-contract/aip";
import { explainAccess } from "platform-contract/iam/access-decisions";
import { repos } from "platform-contract/registry/repos";
import { FilterSelect } from "~/ui/controls/filters";
import { shorten } from "~/ui/display/shorten";
import { FailedPart } from "~/ui/feedback/failed-part";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";

import { Answer } from "./answer";
import { ACT_CHOICES, actOf, decisionQuery, ONESELF, readDecisionSearch, type DecisionSearch } from "./data";
import classes from "./styles.module.css";
import { Unasked } from "./unasked";

const TITLE = "Can they do that?";

interface DecisionsProps {
  /** Chooses a repo of the scope: another domain's. */
  readonly RepoFilter: ComponentType<{
    readonly value: string | undefined;
    readonly onChange: (on: string | undefined) => void;
  }>;
  /** Says what is wrong with a refused address of a repo. */
  readonly RefusedReference: ComponentType<{ readonly text: string; readonly repo: string }>;
}

/** Whether somebody can do something with a repo or folder, why, and what would change it. */
export function Decisions({ RepoFilter, RefusedReference }: DecisionsProps): ReactNode {
  const search = useCleanAddress(readDecisionSearch);
  const { identityUid } = useCurrentUser();
  const own = identityUid === undefined ? undefined : uidToParam(identityUid);
  const { show } = useView<DecisionSearch & { drawer?: undefined }>();
  useTitle(TITLE);
  const { group, known } = useChosenGroup();
  const config = useRouteContext({ strict: false, select: (context) => context.config });
  return (
    <Page>
      <PageHeader
        icon={iconOf("roleBindings")}
        title={TITLE}
        description="See which role lets a person or machine do something, or what is missing."
      />
      <div className={classes["question"]}>
        <IdentityFilter
          label="Who"
          none="nobody yet"
          value={search.identity === ONESELF ? own : search.identity}
          group={group}
          onChange={(identity) => show({ identity: identity === own ? ONESELF : identity })}
        />
        <FilterSelect
          label="Can"
          value={actOf(search).name}
          options={ACT_CHOICES}
          onChange={(act) => show({ act })}
        />
        <RepoFilter value={search.on} onChange={(on) => show({ on, refused: undefined })} />
      </div>
      {search.on !== undefined && search.refused !== undefined ? (
        <RefusedReference text={search.refused} repo={paramToUid(search.on)} />
      ) : null}
      {config?.accessDecisions !== true ? (
        <Notice>
          This service doesn&apos;t explain access. “Who has access” on a folder or repo lists the role
          bindings.
        </Notice>
      ) : search.on !== undefined ? (
        <AboutRepo uid={paramToUid(search.on)} search={search} />
      ) : group !== undefined ? (
        <AboutGroup uid={group} search={search} />
      ) : known ? (
        <ChooseGroup>Choose an organization or folder.</ChooseGroup>
      ) : null}
    </Page>
  );
}

const repoQuery = (uid: string) => one(repos.get, { uid });

/** What a question is about. */
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

function Asked(props: AboutProps & { readonly where: string }): ReactNode {
  const { identity } = props.search;
  return identity === undefined ? <Unasked {...props} /> : <Decided {...props} identity={identity} />;
}

interface DecidedProps extends AboutProps {
  readonly where: string;
  /** As in the address. */
  readonly identity: string;
}

function Decided({ uid, search, where, identity: asked }: DecidedProps): ReactNode {
  const identity = asked === ONESELF ? undefined : paramToUid(asked);
  const act = actOf(search);
  const { identityUid } = useCurrentUser();
  const { allowed, capability } = useCan(explainAccess, uid);
  const hidden = !allowed && identity !== undefined && identity !== identityUid;
  const query = decisionQuery(uid, act.capabilities, identity);
  const { data, error, refetch } = useQuery({ ...query, enabled: !hidden });
  useScreenList(query.queryKey);
  const { known } = useIdentities(identity === undefined ? [] : [identity]);
  const who = identity === undefined ? "You" : identityWords(identity, known.get(identity)).name;
  if (hidden) {
    const place = search.on === undefined ? uid : parentOf(uid);
    return (
      <HiddenByRole
        because="What others can do follows from their roles"
        capability={capability}
        group={place}
        place={place}
      />
    );
  }
  if (error && !data)
    return <FailedPart title="The answer couldn't be loaded" error={error} onRetry={refetch} />;
  if (!data) return <p className={classes["quiet"]}>Loading…</p>;
  return (
    <Answer
      question={{ identity, who, act: act.label, capabilities: act.capabilities, where }}
      answer={data}
    />
  );
}
