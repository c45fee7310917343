import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { accessPage } from "~/domains/access/grants/links";
import { groupQuery } from "~/frame/scope/group-ancestry";
import { groupPage } from "~/frame/scope/group-link";
import { uidToParam } from "~/frame/scope/uid-param";
import { shorten } from "~/ui/display/shorten";
import { AppLink } from "~/ui/layout/link";
import { Dialog } from "~/ui/overlay/dialog";

import classes from "./styles.module.css";

interface MoveGroupProps {
  /** uid of the folder. */
  readonly uid: string;
  readonly onClose: () => void;
}

/** Says why a folder can't be moved, and how to get the same: the API changes no group's parent. */
export function MoveGroup({ uid, onClose }: MoveGroupProps): ReactNode {
  const { data } = useQuery(groupQuery(uid));
  const of = uidToParam(uid);
  return (
    <Dialog
      title={
        <>
          Move <bdi>{data?.name ?? shorten(uid)}</bdi>
        </>
      }
      size="34rem"
      onClose={onClose}
    >
      <p>
        A folder can&apos;t be moved. Its ID, and the ID of everything in it, holds its place, and pipelines,
        tokens and links use these IDs. Make it anew elsewhere instead:
      </p>
      <ol className={classes["steps"]}>
        <li>
          <AppLink target={{ to: "/snapshots", search: { group: of } }}>Save a snapshot</AppLink> of the
          folder: the list of what has to be there again, and what to compare with at the end.
        </li>
        <li>
          Create the folder in its new place: open that place in the tree, <strong>Create folder</strong>.
          Then <AppLink target={{ to: "/import", search: { kind: "groups" } }}>import folders</AppLink> and{" "}
          <AppLink target={{ to: "/import", search: { kind: "identities" } }}>identities</AppLink> from the
          JSON files that their lists in <AppLink target={groupPage(uid)}>the old folder</AppLink> export.
          They get new IDs.
        </li>
        <li>
          Grant the roles again, as <AppLink target={accessPage(uid)}>Who has access</AppLink> of the old
          folder lists them. A machine that belongs to the old folder can&apos;t act in the new one: it needs
          the new identity.
        </li>
        <li>Create the repos again and push their images. Change the references and IDs in pipelines.</li>
        <li>
          Once nothing signs in or pulls there any more,{" "}
          <AppLink target={{ to: "/groups/$uid", params: { uid: of }, search: { drawer: "teardown" } }}>
            delete the old folder with its contents
          </AppLink>
          .
        </li>
      </ol>
    </Dialog>
  );
}
