import { Button } from "@mantine/core";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useCurrentUser } from "~/access/current-user";
import { usePerson } from "~/auth/use-session";
import "~/ui/controls/button-styles";
import { CopyButton } from "~/ui/display/copy-button";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";
import { useTitle } from "~/features/scope/title";
import { uidToParam } from "~/features/scope/uid-param";

import styles from "./no-access.module.css";

/** Where an owner grants access to somebody, whoever the console is deployed for and under which path. */
const grantAddress = (uid: string): string =>
  new URL(`role-bindings?drawer=create&identity=${uidToParam(uid)}`, document.baseURI).href;

/** For somebody whom nobody has bound to anything, on a first run or as a newcomer: what to do next, both ways. */
export function NoAccess(): ReactNode {
  const { issuer, subject, email } = usePerson();
  const { identityUid } = useCurrentUser();
  useTitle("No access yet");
  return (
    <Page>
      <PageHeader title="No access yet" description="You are signed in, and hold no role in any group." />
      <section className={styles["way"]}>
        <h2>Join an organization</h2>
        <p>Ask an owner to give you a role. Send them this link, which opens the form with you filled in:</p>
        {identityUid === undefined ? null : (
          <p className={styles["link"]}>
            <code>{grantAddress(identityUid)}</code>
            <CopyButton value={grantAddress(identityUid)} what="link" />
          </p>
        )}
        <p>Or tell them who you are to this platform:</p>
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
        <h2>Begin your own</h2>
        <p>An organization holds folders, identities and roles. Whoever creates one becomes its owner.</p>
        <div>
          <Button component={AppLink} target={linkOptions({ to: "/groups", search: { drawer: "create" } })}>
            Create an organization
          </Button>
        </div>
      </section>
    </Page>
  );
}
