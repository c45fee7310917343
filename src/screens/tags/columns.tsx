import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";
import { AlertIcon } from "@primer/octicons-react";

import { parentOf } from "~/contract/aip";
import type { Tag } from "~/contract/registry/tags";
import { Badge } from "~/ui/display/badge";
import { Dash } from "~/ui/display/dash";
import { AppLink } from "~/ui/layout/link";
import type { Column } from "~/ui/table/types";
import { uidColumn } from "~/ui/table/uid-column";
import { shorten } from "~/ui/display/shorten";
import { Time } from "~/ui/display/time";
import { Uid } from "~/ui/display/uid";
import { repoTags } from "~/features/registry/repo-links";
import { repoNameQuery } from "~/features/registry/repo-names";

import classes from "./tags.module.css";

const PlatformsCell = lazy(() =>
  import("./platforms-cell").then((module) => ({ default: module.PlatformsCell })),
);

/** Architectures and sizes of a row's image: what rows do not wait for. */
export const Platforms = (props: {
  readonly repo: string;
  readonly digest: string | undefined;
}): ReactNode => (
  <Suspense>
    <PlatformsCell key={props.digest} {...props} />
  </Suspense>
);

/** The beginning of a digest, as clients show it: enough to tell one from another. */
export const shortDigest = (digest: string): string =>
  /^sha256:[0-9a-f]{64}$/.test(digest) ? digest.slice(0, 19) : shorten(digest);

/** What a tag is called; a service need not tell a name. */
export const nameOf = ({ uid, name }: Pick<Tag, "uid" | "name">): string => name || shorten(uid);

export function Digest({ value }: { readonly value: string | undefined }): ReactNode {
  return value ? <Uid value={value} what="digest" short={shortDigest(value)} /> : <Dash />;
}

/** A tag that is no longer maintained says so in a word and a sign; the others have nothing to say. */
export const Deprecated = (): ReactNode => (
  <Badge tone="warning" icon={<AlertIcon size={12} />}>
    Deprecated
  </Badge>
);

export const Name = ({ tag }: { readonly tag: Pick<Tag, "uid" | "name" | "deprecated"> }): ReactNode => (
  <code className={tag.deprecated ? classes["ended"] : undefined}>{nameOf(tag)}</code>
);

/** The repo of a tag in a list of several: its name is asked for with those of the other rows in view. */
export function RepoName({ uid }: { readonly uid: string }): ReactNode {
  const { data } = useQuery(repoNameQuery(uid));
  return (
    <AppLink target={repoTags(uid)} className={classes["repo"]}>
      <bdi>{data?.name ?? shorten(uid)}</bdi>
    </AppLink>
  );
}

/** The repo of a tag in words. */
export function RepoOf({ uid }: { readonly uid: string }): ReactNode {
  const repo = parentOf(uid);
  const { data } = useQuery(repoNameQuery(repo));
  return <bdi>{data?.name ?? shorten(repo)}</bdi>;
}

/** The line beneath a name where there is no room for columns. */
export const Summary = ({ tag: { digest = "", deprecated } }: { readonly tag: Tag }): ReactNode => (
  <>
    {deprecated ? "Deprecated \u00b7 " : null}
    <code>{shortDigest(digest)}</code>
  </>
);

const name: Column<Tag> = {
  id: "name",
  header: "Name",
  width: "minmax(10rem, 3fr)",
  sortField: "name",
  cell: (tag) => <Name tag={tag} />,
  text: (tag) => tag.name,
};

const repo: Column<Tag> = {
  id: "repo",
  header: "Repo",
  width: "minmax(8rem, 2fr)",
  cell: ({ uid }) => <RepoName uid={parentOf(uid)} />,
  text: ({ uid }) => parentOf(uid),
};

const state: Column<Tag> = {
  id: "state",
  header: "State",
  width: "8.5rem",
  hideBelow: 680,
  cell: ({ deprecated }) => (deprecated ? <Deprecated /> : <Dash label="active" />),
  text: ({ deprecated }) => (deprecated ? "deprecated" : "active"),
};

const digest: Column<Tag> = {
  id: "digest",
  header: "Digest",
  width: "13.5rem",
  hideBelow: 820,
  cell: ({ digest: value }) => <Digest value={value} />,
  text: ({ digest: value = "" }) => value,
};

const image: Column<Tag> = {
  id: "image",
  header: "Image size",
  width: "minmax(15.5rem, 3fr)",
  hideBelow: 960,
  cell: ({ uid, digest: value }) => <Platforms repo={parentOf(uid)} digest={value} />,
  text: false,
};

const updated: Column<Tag> = {
  id: "updated",
  header: "Updated",
  width: "8rem",
  sortField: "updated_at",
  sortFirst: "desc",
  cell: ({ updateTime }) => <Time value={updateTime} />,
  text: ({ updateTime = "" }) => updateTime,
};

export const repoColumns: readonly Column<Tag>[] = [name, state, digest, image, updated, uidColumn];
export const scopeColumns: readonly Column<Tag>[] = [
  name,
  repo,
  state,
  digest,
  { ...image, hideBelow: 1120 },
  updated,
  uidColumn,
];
