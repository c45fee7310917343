import type { ReactNode } from "react";

import { usePerson } from "~/auth/use-session";
import { CopyButton } from "~/ui/display/copy-button";
import type { LinkTarget } from "~/ui/layout/link";
import { Time } from "~/ui/display/time";

import { OwnRoles } from "./roles-held";
import styles from "./who-panel.module.css";

/** The roles of the signed-in user, and what their session is. */
export function WhoPanel(props: {
  readonly linkTo: (group: string) => LinkTarget;
  readonly onFollow?: () => void;
}): ReactNode {
  const { issuer, subject, expiresAt } = usePerson();
  return (
    <div className={styles["panel"]}>
      <section aria-labelledby="who-roles">
        <h2 id="who-roles" className={styles["heading"]}>
          Roles
        </h2>
        <OwnRoles {...props} />
      </section>
      <dl className={styles["facts"]}>
        <dt>Issuer</dt>
        <dd>
          <code>{issuer}</code>
        </dd>
        <dt>Subject</dt>
        <dd>
          <code>{subject}</code>
          <CopyButton value={subject} what="subject" />
        </dd>
        <dt>Session</dt>
        <dd>
          {Number.isFinite(expiresAt) ? (
            <span>
              token expires <Time value={new Date(expiresAt * 1000).toISOString()} />, renews automatically
            </span>
          ) : (
            "No known expiration"
          )}
        </dd>
      </dl>
    </div>
  );
}
