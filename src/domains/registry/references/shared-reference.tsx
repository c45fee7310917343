import { useInfiniteQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { isWithin, parentOf, rootOf } from "platform-contract/aip";
import { repos } from "platform-contract/registry/repos";
import { GroupLink } from "~/frame/scope/group-link";
import { useGroup, usePath } from "~/frame/scope/group-ancestry";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import { repoPage } from "./repo-links";
import { repoPath } from "./pull-reference";
import { namespaceIn } from "./references";

/** Names that are listed; more become a count. */
const NAMED = 3;

interface SharedReferenceProps {
  /** A group in the organization, or the repo itself. */
  readonly at: string;
  readonly name: string;
  /** The repo itself; undefined before it is created. */
  readonly uid?: string | undefined;
}

/**
 * Warns if other repos of the organization have the same pull reference: it contains the names of the organization and
 * the repo, and no folder. Nothing without them.
 */
export function SharedReference({ at, name, uid }: SharedReferenceProps): ReactNode {
  const organization = rootOf(at);
  const own = useGroup(at === organization ? organization : undefined).group;
  const { steps } = usePath(at);
  const path = repoPath(own?.name ?? steps[0]?.name ?? "", name, own?.namespace ?? namespaceIn(steps));
  const { data } = useInfiniteQuery({
    ...infinite(repos.list, { name, "uidp.descendants_of": organization, page_size: NAMED + 2 }),
    enabled: path !== undefined,
  });
  const others = rowsOf(data).rows.filter((repo) => repo.uid !== uid && isWithin(repo.uid, organization));
  if (path === undefined || others.length === 0) return null;
  return (
    <Notice tone="warning" title="This pull reference isn't unique">
      {others.slice(0, NAMED).map((repo, index) => (
        <Fragment key={repo.uid}>
          {index > 0 ? ", " : ""}
          <AppLink target={repoPage(repo.uid)}>
            <bdi>{repo.name}</bdi>
          </AppLink>{" "}
          in <GroupLink uid={parentOf(repo.uid)} />
        </Fragment>
      ))}
      {others.length > NAMED ? " and others" : ""} {others.length === 1 ? "is" : "are"} also pulled as{" "}
      <code dir="ltr">{path}</code>. The reference doesn&apos;t say which repo is meant.
    </Notice>
  );
}
