import { useQuery } from "@tanstack/react-query";
import { TriangleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";
import { parentOf } from "platform-contract/aip";
import type { Tag } from "platform-contract/registry/tags";
import { repoTags } from "~/domains/registry/references/repo-links";
import { repoNameQuery } from "~/domains/registry/references/repo-names";
import { Badge } from "~/ui/display/badge";
import { State } from "~/ui/display/state";
import { shorten } from "~/ui/display/shorten";
import { AppLink } from "~/ui/layout/link";
import { tagScreens } from "./data";
import classes from "./styles.module.css";
import { useSettled } from "~/ui/use-settled";
import { formatBytes } from "~/ui/display/numbers";
import { UnknownCell } from "~/ui/table/cell-states";
import { usePlatforms } from "~/domains/registry/references/platforms";

/** Architectures and sizes of a row's image on one line. An error affects only the cell: a dash explains it. */
function PlatformsCell({ repo, digest }: ImageProps): ReactNode {
  const { data, problem } = usePlatforms(repo, digest, useSettled());
  if (data && data.length > 0)
    return (
      <span className={classes["platforms"]}>
        {data.map(({ architecture, size }) => (
          <span key={architecture}>
            {architecture}{" "}
            <span className={classes["size"]}>{size === undefined ? "—" : formatBytes(size)}</span>
          </span>
        ))}
      </span>
    );
  const why = digest === undefined ? undefined : problem;
  if (why === undefined && !data) return null;
  return <UnknownCell why={why} />;
}

export interface ImageProps {
  readonly repo: string;
  readonly digest: string | undefined;
}

/** Architectures and sizes of a row's image, which the rows don't wait for. */
export const Platforms = (props: ImageProps): ReactNode => <PlatformsCell key={props.digest} {...props} />;

export const Deprecated = (): ReactNode => (
  <Badge tone="warning" icon={<TriangleAlertIcon />}>
    Deprecated
  </Badge>
);

/** The state of a tag in a row or among its facts. */
export const TagState = ({ deprecated }: Pick<Tag, "deprecated">): ReactNode =>
  deprecated ? <Deprecated /> : <State tone="success">Active</State>;

export const Name = ({ tag }: { readonly tag: Tag }): ReactNode => (
  <code className={tag.deprecated ? classes["ended"] : undefined}>{tagScreens.nameOf(tag)}</code>
);

/** Name of a repo. Batched with the other rows in view into one request. */
function useRepoName(uid: string): ReactNode {
  const { data, isPending } = useQuery(repoNameQuery(uid));
  return <bdi>{data?.name ?? (isPending ? "…" : shorten(uid))}</bdi>;
}

export const RepoLink = ({ uid }: { readonly uid: string }): ReactNode => (
  <AppLink target={repoTags(uid)} className={classes["repo"]} data-tip-overflow="">
    {useRepoName(uid)}
  </AppLink>
);

/** The repo of the tag `uid`. */
export const RepoOf = ({ uid }: { readonly uid: string }): ReactNode => useRepoName(parentOf(uid));
