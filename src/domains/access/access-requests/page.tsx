import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { isUid } from "platform-contract/aip";
import { useCleanAddress } from "~/frame/clean-address";
import { paramToUid } from "~/frame/scope/uid-param";
import { GroupFilter } from "~/domains/access/grants/filter-controls";
import { useCurrentUser } from "~/frame/permissions/current-user";
import { WhoDecides } from "~/domains/access/grants/who-decides";
import { YourRoles } from "~/frame/scope/your-roles";
import { useTitle } from "~/frame/scope/title";
import { iconOf } from "~/frame/kind-icons";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";

import { AskForm } from "./lazy-parts";
import { readAskSearch } from "./links";
import { OwnRequests } from "./own-requests";
import { Place } from "./place";
import classes from "./styles.module.css";

/** Where a link leads that someone with access sends to someone without. */
export function AskPage(): ReactNode {
  const uid = paramToUid(useParams({ strict: false }).uid ?? "");
  const { act } = useCleanAddress(readAskSearch);
  useTitle("Ask for access");
  const navigate = useNavigate();
  const { bindings } = useCurrentUser();
  return (
    <Page>
      <PageHeader
        icon={iconOf("roleBindings")}
        title="Ask for access"
        description="The people who can grant access to this organization or folder decide, and choose your role."
      />
      {isUid(uid) ? (
        <div className={classes["ask"]}>
          <div>
            <p>
              <Place uid={uid} />
            </p>
            <YourRoles group={uid} />
            <WhoDecides group={uid} />
            {bindings.length > 0 ? (
              <GroupFilter
                label="Another folder"
                none="choose"
                value={undefined}
                group={undefined}
                onChange={(other = "") =>
                  void navigate({ to: "/ask/$uid", params: { uid: other }, search: { act } })
                }
              />
            ) : null}
          </div>
          <AskForm key={uid} group={uid} act={act} />
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
