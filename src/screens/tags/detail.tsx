import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { parentOf } from "~/contract/aip";
import { tags, type Tag } from "~/contract/registry/tags";
import { ActionButton } from "~/ui/controls/action-button";
import { Badge } from "~/ui/display/badge";
import { CopyButton } from "~/ui/display/copy-button";
import { DefinitionList } from "~/ui/display/definition-list";
import { deleteAction } from "~/ui/overlay/menu";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { RecordHeader, RecordPage } from "~/resource/record-page";
import { repoTags } from "~/features/registry/repo-links";
import { useView } from "~/resource/use-view";

import { AlsoTagged } from "./also-tagged";
import { ImageTable } from "./image-table";
import { compareOf } from "./links";
import { PullReferences } from "./pull-references";
import { Deprecated, nameOf, RepoName } from "./columns";
import { TagDrawers } from "./drawers";
import { tagQuery } from "./queries";
import type { TagDetailSearch } from "./search";
import classes from "./tags.module.css";

const route = getRouteApi("/tags/$uid");

/** One tag: the image that it names, its other names, and how to pull it. */
export function TagDetail(): ReactNode {
  const navigate = route.useNavigate();
  const { drawer } = route.useSearch();
  const { open, close } = useView<TagDetailSearch>();
  const refusal = useRefusal();
  return (
    <RecordPage param={route.useParams().uid} query={tagQuery}>
      {(tag, stale) => (
        <>
          <RecordHeader
            uid={tag.uid}
            record={tag}
            name={nameOf(tag)}
            badges={tag.deprecated ? <Deprecated /> : null}
            menu={(common) => [
              { label: "Copy a reference", onSelect: () => open("pull") },
              { label: "Compare with another tag", link: compareOf(tag.uid) },
              ...common,
              deleteAction(() => open("delete"), refusal(tags.delete, tag.uid)),
            ]}
          >
            <ActionButton reason={refusal(tags.create, tag.uid)} onClick={() => open("create")}>
              Move tag
            </ActionButton>
          </RecordHeader>
          {stale}
          <TagDrawers
            drawer={drawer}
            item={tag.uid}
            known={tag}
            repo={parentOf(tag.uid)}
            onClose={close}
            onDeleted={() =>
              void navigate({ ...(repoTags(parentOf(tag.uid)) as { to: "/tags" }), replace: true })
            }
          />
          <TagFacts tag={tag} />
          <ImageTable repo={parentOf(tag.uid)} digest={tag.digest} />
          <AlsoTagged tag={tag} />
          <Section title="Pull">
            <PullReferences tag={tag} />
          </Section>
        </>
      )}
    </RecordPage>
  );
}

function TagFacts({ tag }: { readonly tag: Tag }): ReactNode {
  const { uid, digest, deprecated, bundles = [], updateTime } = tag;
  return (
    <DefinitionList
      items={[
        {
          term: "Digest",
          value: digest && (
            <span className={classes["command"]}>
              <code>{digest}</code>
              <CopyButton value={digest} what="digest" />
            </span>
          ),
          wide: true,
        },
        { term: "Repo", value: <RepoName uid={parentOf(uid)} /> },
        { term: "Updated", value: <Time value={updateTime} /> },
        {
          term: "State",
          value: deprecated
            ? "Deprecated: past its end of life, no longer maintained. The date of that is told by v1 of the API alone."
            : "Active",
        },
        {
          term: "Bundles",
          value:
            bundles.length > 0 ? (
              <span className={classes["chips"]}>
                {bundles.map((bundle) => (
                  <Badge key={bundle}>{bundle}</Badge>
                ))}
              </span>
            ) : undefined,
        },
      ]}
    />
  );
}
