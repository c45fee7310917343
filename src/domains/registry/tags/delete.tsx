import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { useCan } from "~/frame/permissions/use-can";
import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import { tags, type Tag } from "platform-contract/registry/tags";
import { DeleteRecord } from "~/frame/record/delete-record";
import type { DeleteProps } from "~/frame/form/drawers";
import { DefinitionList } from "~/ui/display/definition-list";
import { formatCount } from "~/ui/display/numbers";

import { repoName as nameOfRepo, repoQuery } from "~/domains/registry/references/repo-query";
import { sameImageQuery, tagScreens } from "./data";

/** Names of the same image to list; more are counted. */
const LISTED = 5;

/** Confirms the deletion of a tag: which repo and image it belongs to, and which other tags that image keeps. */
export function DeleteTag(props: DeleteProps<Tag>): ReactNode {
  const { uid, name, digest } = props.record;
  const repoUid = parentOf(uid);
  const { data: repo } = useQuery(repoQuery(repoUid));
  const repoName = repo && nameOfRepo(repo);
  return (
    <DeleteRecord
      of={tagScreens}
      {...props}
      {...(repoName !== undefined && { called: `${name} of ${repoName}` })}
      consequence="Pulls of this tag will fail. This can't be undone."
    >
      <DefinitionList
        items={[
          { term: "Repo", value: <bdi>{repoName ?? "…"}</bdi>, wide: true },
          { term: "Digest", value: digest && <code>{digest}</code>, wide: true },
          {
            term: "Same image",
            value: digest && <SameImage tag={props.record} digest={digest} />,
            wide: true,
          },
        ]}
      />
    </DeleteRecord>
  );
}

/** The other tags that point to the image of this one. */
function SameImage({ tag: { uid }, digest }: { readonly tag: Tag; readonly digest: string }): ReactNode {
  const { allowed } = useCan(tags.list, uid);
  const { data, error } = useInfiniteQuery({ ...sameImageQuery(parentOf(uid), digest), enabled: allowed });
  if (!allowed || error) return "Other tags of this image stay.";
  if (!data) return "…";
  const { rows, total } = rowsOf(data);
  const others = rows.filter((tag) => tag.uid !== uid);
  if (others.length === 0) return "No other tag points to it.";
  const more = Number(total ?? rows.length) - 1 - Math.min(others.length, LISTED);
  return (
    <>
      Stays available as{" "}
      {others.slice(0, LISTED).map((tag, index) => (
        <span key={tag.uid}>
          {index > 0 ? ", " : ""}
          <code>{tag.name}</code>
        </span>
      ))}
      {more > 0 ? ` and ${formatCount(more)} more` : ""}.
    </>
  );
}
