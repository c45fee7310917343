import type { ReactNode } from "react";

import { useCurrentUser } from "~/frame/permissions/current-user";
import { usePerson } from "~/auth/use-session";
import { CopyButton } from "~/ui/display/copy-button";
import type { LinkTarget } from "~/ui/layout/link";
import { Time } from "~/ui/display/time";

import { RolesHeld } from "./roles-held";
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
        <Roles {...props} />
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

function Roles({ linkTo, onFollow }: Parameters<typeof WhoPanel>[0]): ReactNode {
  const who = useCurrentUser();
  if (who.state === "loading") return <p className={styles["note"]}>Loading{"\u2026"}</p>;
  if (who.state === "unknown")
    return (
      <p className={styles["note"]}>
        {who.identityUid === undefined
          ? "Your roles are unknown: the service didn't say which identity is yours."
          : "Your roles couldn't be loaded."}
      </p>
    );
  if (who.bindings.length === 0) return <p className={styles["note"]}>No roles</p>;
  return (
    <RolesHeld bindings={who.bindings} roles={who.roles} linkTo={linkTo} {...(onFollow && { onFollow })} />
  );
}
