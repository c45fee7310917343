import type { ReactNode } from "react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";

import { againOf } from "~/api/bulk/recreation-plan";
import { type Tag, tags } from "platform-contract/registry/tags";
import type { DrawersProps, DeleteProps } from "~/frame/form/drawers";
import { RecordLoader } from "~/frame/form/record-loader";
import { Dialog } from "~/ui/overlay/dialog";
import { useCan } from "~/frame/permissions/use-can";
import { rowsOf } from "~/api/queries/queries";
import { parentOf } from "platform-contract/aip";
import { DeleteRecord } from "~/frame/record/delete-record";
import { DefinitionList } from "~/ui/display/definition-list";
import { formatCount } from "~/ui/display/numbers";
import { repoName as nameOfRepo, repoQuery } from "~/domains/registry/references/repo-query";

import { tagScreens, sameImageQuery } from "./data";
import { TagForm } from "./form";
import { PullCommand } from "./pull-command";

/** Names of the same image to list; more are counted. */
const LISTED = 5;

/** Confirms the deletion of a tag: which repo and image it belongs to, and which other tags that image keeps. */
function DeleteTag(props: DeleteProps<Tag>): ReactNode {
  const { uid, name, digest } = props.record;
  const repoUid = parentOf(uid);
  const { data: repo } = useQuery(repoQuery(repoUid));
  const repoName = repo && nameOfRepo(repo);
  return (
    <DeleteRecord
      of={tagScreens}
      {...props}
      {...(repoName !== undefined && { called: `${name} of ${repoName}` })}
      again={againOf("tags", repoUid, props.record)}
      consequence="Pulls of this tag will fail."
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

interface PullDialogProps {
  readonly tag: Tag;
  readonly onClose: () => void;
}

/** Dialog with the pull command of a tag. */
function PullDialog({ tag, onClose }: PullDialogProps): ReactNode {
  return (
    <Dialog
      title={
        <>
          Pull <bdi>{tagScreens.nameOf(tag)}</bdi>
        </>
      }
      size="52rem"
      onClose={onClose}
    >
      <PullCommand tag={tag} />
    </Dialog>
  );
}

/** The forms and dialogs for tags. Creating one with `item` starts with that tag's values. */
export function TagDrawers(props: DrawersProps<Tag>): ReactNode {
  const { drawer, item, known, scope, onClose, onDeleted } = props;
  if (drawer === "create" && item === undefined) return scope && <TagForm repo={scope} onClose={onClose} />;
  // Belongs to the repo.
  if (drawer === "edit") return null;
  return (
    <RecordLoader
      noun="tag"
      uid={item}
      query={tagScreens.record}
      known={drawer === "create" ? undefined : known}
      onClose={onClose}
    >
      {(tag) => {
        if (drawer === "create") return <TagForm tag={tag} onClose={onClose} />;
        if (drawer === "pull") return <PullDialog tag={tag} onClose={onClose} />;
        return <DeleteTag record={tag} onClose={onClose} onDeleted={() => onDeleted(tag.uid)} />;
      }}
    </RecordLoader>
  );
}
