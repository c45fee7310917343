import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/frame/permissions/use-can";
import { rowsOf } from "~/api/queries/queries";
import { isUid, parentOf } from "platform-contract/aip";
import { tags, type Tag } from "platform-contract/registry/tags";
import { updatedFact } from "~/frame/record/history";
import { compareVersions } from "platform-contract/registry/version-order";
import { repoTags } from "~/domains/registry/references/repo-links";
import { repoNameQuery } from "~/domains/registry/references/repo-names";
import { paramToUid, uidToParam } from "~/frame/scope/uid-param";
import { RecordScreen } from "~/frame/record/record-screen";
import { useCleanAddress } from "~/frame/clean-address";
import type { Address } from "~/frame/scope/address";
import { useView } from "~/frame/use-view";
import type { PageView } from "~/frame/define";
import { ActionButton } from "~/ui/controls/action-button";
import { Badge } from "~/ui/display/badge";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { Dash } from "~/ui/display/dash";
import { FactTable } from "~/ui/display/fact-table";
import { formatBytes, formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { State } from "~/ui/display/state";
import { FailedPart } from "~/ui/feedback/failed-part";
import { AppLink } from "~/ui/layout/link";
import { Tabs } from "~/ui/layout/tabs";
import { TagVulnerabilities } from "~/domains/vulnerabilities/vulnerability-reports/lazy-parts";

import { compareOf, sameImageQuery, tagScreens } from "./data";
import { Deprecated, Name, RepoLink } from "./parts";
import { PullsOf } from "~/domains/registry/usage/pulls";
import { usePlatforms } from "~/domains/registry/references/platforms";
import { InRegistry } from "./in-registry";
import { PullCommand } from "./pull-command";
import classes from "./styles.module.css";

const TAB = "vulnerabilities";
/** Adds the tab to the page's search parameters: the overview, or the vulnerabilities resolved in the tag. */
const pageScreens = {
  ...tagScreens,
  readPage: (address: Address) => ({
    ...tagScreens.readPage(address),
    ...(address["tab"] === TAB && { tab: TAB }),
  }),
};

/** Names the tag as in a reference, with its repo: `python:3.12`. Without the repo if its name isn't readable. */
function useScreens(): { readonly of: typeof pageScreens; readonly pending: boolean } {
  const uid = paramToUid(useParams({ strict: false }).uid ?? "");
  const { data, isLoading } = useQuery({ ...repoNameQuery(parentOf(uid)), enabled: isUid(uid) });
  const repo = data?.name;
  return {
    of:
      repo === undefined
        ? pageScreens
        : { ...pageScreens, nameOf: (tag) => `${repo}:${tagScreens.nameOf(tag)}` },
    pending: isLoading,
  };
}

/** Shows one tag: its image, the other tags of that image, and how to pull it. */
export function TagPage(): ReactNode {
  const navigate = useNavigate();
  const { open } = useView<PageView>();
  const { tab } = useCleanAddress(pageScreens.readPage);
  const refusal = useRefusal();
  const named = useScreens();
  return (
    <RecordScreen
      {...named}
      badges={({ deprecated }) => (deprecated ? <Deprecated /> : null)}
      actions={({ uid }) => [
        { label: "Copy pull command…", onSelect: () => open("pull") },
        { label: "Compare with another tag", link: compareOf(uid) },
      ]}
      tabs={(uid) => (
        <Tabs
          label="Tag pages"
          tabs={[
            { label: "Overview", link: tagScreens.link(uid) },
            { label: "Vulnerabilities", link: { ...tagScreens.link(uid), search: { tab: TAB } } },
          ]}
          current={tab === TAB ? "Vulnerabilities" : "Overview"}
        />
      )}
      onDeleted={(uid) => void navigate({ ...repoTags(parentOf(uid)), replace: true })}
      primary={({ uid }) => (
        <ActionButton reason={refusal(tags.create, uid)} onClick={() => open("create")}>
          Move tag
        </ActionButton>
      )}
    >
      {(tag) => (tab === TAB ? <TagVulnerabilities tag={tag} /> : <Overview tag={tag} />)}
    </RecordScreen>
  );
}

interface TagProps {
  readonly tag: Tag;
}

const Overview = ({ tag }: TagProps): ReactNode => (
  <>
    <TagFacts tag={tag} />
    <Section title="Pull">
      <PullCommand tag={tag} />
    </Section>
    <ImageTable tag={tag} />
    <InRegistry tag={tag} />
    <PullsOf uid={tag.uid} pushed={tag.updateTime} />
    <AlsoTagged tag={tag} />
  </>
);

function TagFacts({ tag }: TagProps): ReactNode {
  const { uid, digest, deprecated, bundles = [] } = tag;
  return (
    <DefinitionList
      items={[
        { term: "Digest", value: digest && <Code value={digest} what="digest" />, wide: true },
        { term: "Repo", value: <RepoLink uid={parentOf(uid)} /> },
        {
          term: "State",
          value: deprecated ? (
            "Deprecated: past end of life"
          ) : (
            <State key="active" tone="success">
              Active
            </State>
          ),
        },
        ...(bundles.length > 0
          ? [
              {
                term: "Bundles",
                value: (
                  <span className={classes["chips"]}>
                    {bundles.map((bundle) => (
                      <Badge key={bundle} tone="quiet">
                        {bundle}
                      </Badge>
                    ))}
                  </span>
                ),
                wide: true,
              },
            ]
          : []),
        { ...updatedFact("tags", tag), wide: true },
      ]}
    />
  );
}

/** Lists the architectures of the image. */
function ImageTable({ tag: { uid, digest } }: TagProps): ReactNode {
  const { data, problem } = usePlatforms(parentOf(uid), digest);
  const none =
    data?.length === 0 ? "No architectures." : digest === undefined ? "This tag has no digest." : "Loading…";
  return (
    <Section
      title="Architectures"
      count={data?.length || undefined}
      description="Compressed size, including config."
    >
      {problem !== undefined || !data?.length ? (
        <p className={classes["quiet"]}>
          {problem === undefined ? null : <Dash />} {problem ?? none}
        </p>
      ) : (
        <FactTable
          className={`${classes["table"]} ${classes["narrow"]}`}
          head={["Architecture", "Size"]}
          rows={data.map(({ architecture, size }) => [
            architecture,
            size === undefined ? <Dash key="size" label="unknown" /> : formatBytes(size),
          ])}
        />
      )}
    </Section>
  );
}

/** Lists the other tags of the same image, sorted by version. */
function AlsoTagged({ tag }: TagProps): ReactNode {
  const { uid, digest } = tag;
  const repo = parentOf(uid);
  const query = useInfiniteQuery({ ...sameImageQuery(repo, digest ?? ""), enabled: digest !== undefined });
  const { rows, total } = rowsOf(query.data);
  const others = rows.filter((row) => row.uid !== uid).toSorted((a, b) => compareVersions(a.name, b.name));
  const more = Math.max(0, Number(total ?? rows.length) - rows.length);
  return (
    <Section title="Also tagged" count={others.length + more || undefined}>
      {others.length > 0 ? (
        <ul className={classes["chips"]}>
          {others.map((other) => (
            <li key={other.uid}>
              <AppLink target={tagScreens.link(other.uid)} className={classes["chip"]}>
                <Name tag={other} />
              </AppLink>
            </li>
          ))}
        </ul>
      ) : query.isError ? null : (
        <p className={classes["quiet"]}>
          {digest === undefined
            ? "This tag has no digest."
            : query.data
              ? "No other tag of this repo has the same image."
              : "Loading…"}
        </p>
      )}
      {query.isError ? (
        <FailedPart title="The other tags couldn't be loaded" error={query.error} onRetry={query.refetch} />
      ) : null}
      {more > 0 && digest !== undefined ? (
        <AppLink target={{ to: "/tags", search: { repo: uidToParam(repo), digest } }}>
          Show {formatQuantity(more, "more tag", "more tags")}
        </AppLink>
      ) : null}
    </Section>
  );
}
