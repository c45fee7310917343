import { Button } from "@mantine/core";
import { linkOptions, useRouteContext } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { usePerson } from "~/auth/use-session";
import { Offers } from "~/domains/access/access-requests/offers";
import { AskForm } from "~/domains/access/access-requests/lazy-parts";
import { OwnOrganization } from "~/domains/access/access-requests/own-organization";
import { OwnRequests } from "~/domains/access/access-requests/own-requests";
import { iconOf } from "~/frame/kind-icons";
import "~/ui/controls/button-styles";
import { CopyButton } from "~/ui/display/copy-button";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";
import { useTitle } from "~/frame/scope/title";
import { uidToParam } from "~/frame/scope/uid-param";

import styles from "./no-access.module.css";

/** Address of the form in which an owner grants access to this person. */
const grantAddress = (uid: string): string =>
  new URL(`role-bindings?drawer=create&identity=${uidToParam(uid)}`, document.baseURI).href;

/** The next steps for a person without any role: join an organization or create one. */
export function NoAccess(): ReactNode {
  const { issuer, subject, email } = usePerson();
  const { identityUid } = useCurrentUser();
  const { config } = useRouteContext({ from: "__root__" });
  useTitle("No access yet");
  return (
    <Page>
      <PageHeader
        icon={iconOf("roleBindings")}
        title="No access yet"
        description="You're signed in, but you aren't in an organization yet."
      />
      <Offers />
      <section className={styles["way"]}>
        <h2>Join an organization</h2>
        {config.accessRequests ? (
          <>
            <OwnOrganization otherwise={<AskForm />} />
            <OwnRequests />
          </>
        ) : null}
        <p>
          {config.accessRequests ? "Or ask" : "Ask"} an owner to grant you a role. This link opens the form
          with your details filled in:
        </p>
        {identityUid === undefined ? null : (
          <p className={styles["link"]}>
            <code>{grantAddress(identityUid)}</code>
            <CopyButton value={grantAddress(identityUid)} what="link" />
          </p>
        )}
        <p>Or send them these details:</p>
        <dl className={styles["facts"]}>
          <dt>Issuer</dt>
          <dd>
            <code>{issuer}</code>
            <CopyButton value={issuer} what="issuer" />
          </dd>
          <dt>Subject</dt>
          <dd>
            <code>{subject}</code>
            <CopyButton value={subject} what="subject" />
          </dd>
          {email !== undefined && (
            <>
              <dt>Email</dt>
              <dd>{email}</dd>
            </>
          )}
        </dl>
      </section>
      <section className={styles["way"]}>
        <h2>Create your own organization</h2>
        <p>An organization contains folders, identities and roles. You become its owner.</p>
        <div>
          <Button component={AppLink} target={linkOptions({ to: "/groups", search: { drawer: "create" } })}>
            Create an organization
          </Button>
        </div>
      </section>
    </Page>
  );
}
