import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { isUid, isWithin, parentOf } from "platform-contract/aip";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { paramToUid } from "~/frame/scope/uid-param";
import { groupQuery } from "~/frame/scope/group-ancestry";
import { useTitle } from "~/frame/scope/title";
import { iconOf } from "~/frame/kind-icons";
import { Code } from "~/ui/display/code";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";

import { AskForm } from "./lazy-parts";
import { OwnRequests } from "./own-requests";
import classes from "./styles.module.css";

/** By its name for those who have a role there and ask for more; nothing is asked about it for anybody else. */
function Place({ uid }: { readonly uid: string }): ReactNode {
  const { bindings } = useCurrentUser();
  const enabled = bindings.some((binding) => isWithin(uid, parentOf(binding.uid)));
  const { data: group } = useQuery({ ...groupQuery(uid), enabled });
  return (
    <>
      {group ? (
        <>
          <strong>
            <bdi>{group.name}</bdi>
          </strong>{" "}
        </>
      ) : null}
      <Code value={uid} what="uid" />
    </>
  );
}

/** Where a link leads that someone with access sends to someone without. */
export function AskPage(): ReactNode {
  const uid = paramToUid(useParams({ strict: false }).uid ?? "");
  useTitle("Ask for access");
  return (
    <Page>
      <PageHeader
        icon={iconOf("roleBindings")}
        title="Ask for access"
        description="The people who can grant access to this organization or folder decide, and choose your role."
      />
      {isUid(uid) ? (
        <div className={classes["ask"]}>
          <p>
            <Place uid={uid} />
          </p>
          <AskForm key={uid} group={uid} />
        </div>
      ) : (
        <Notice tone="warning" title="This link is incomplete">
          It doesn't name an organization or folder. Ask for a new one.
        </Notice>
      )}
      <OwnRequests />
    </Page>
  );
}
