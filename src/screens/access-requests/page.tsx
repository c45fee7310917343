import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { isUid } from "~/contract/aip";
import { paramToUid } from "~/features/scope/uid-param";
import { useTitle } from "~/features/scope/title";
import { iconOf } from "~/resource/kind-icons";
import { Code } from "~/ui/display/code";
import { Notice } from "~/ui/feedback/notice";
import { Page, PageHeader } from "~/ui/layout/page";

import { AskForm } from "~/features/access-requests/lazy-ask-form";
import { OwnRequests } from "~/features/access-requests/own-requests";
import classes from "~/features/access-requests/styles.module.css";

/** Where a link leads that somebody with access sends to somebody without. */
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
            <Code value={uid} what="uid" />
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
