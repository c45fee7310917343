import { Button } from "@mantine/core";
import { linkOptions } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { usePerson } from "~/auth/use-session";
import "~/ui/controls/button-styles";
import { CopyButton } from "~/ui/display/copy-button";
import { AppLink } from "~/ui/layout/link";
import { Page, PageHeader } from "~/ui/layout/page";
import { useTitle } from "~/features/scope/title";

import styles from "./no-access.module.css";

/** For somebody whom nobody has bound to anything, on a first run or as a newcomer: what to do next, both ways. */
export function NoAccess(): ReactNode {
  const { issuer, subject, email } = usePerson();
  useTitle("No access yet");
  return (
    <Page>
      <PageHeader title="No access yet" description="You are signed in, and hold no role in any group." />
      <section className={styles["way"]}>
        <h2>Join an organization</h2>
        <p>Ask an owner to give you a role. They need to know who you are to this platform:</p>
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
