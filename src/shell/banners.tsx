import { XIcon } from "lucide-react";
import { useSyncExternalStore, type ReactNode } from "react";

import { thePast } from "~/api/client/moment";
import type { Announcement, Config } from "~/config";
import { useNow } from "~/ui/clock";
import { IconButton } from "~/ui/controls/icon-button";
import { ExternalLink } from "~/ui/display/external-link";
import { readPreference, subscribePreferences, writePreference } from "~/ui/preferences";
import { ConnectionBanner } from "~/shell/errors/connection-banner";

import { Banner } from "./banner";
import styles from "./banners.module.css";

/** The text that was dismissed last: another one shows again. */
const DISMISSED = "announcement";

/** What holds for every screen: no connection, no writes, and what the operator tells everybody. */
export function Banners({ readOnly, announcement }: Pick<Config, "readOnly" | "announcement">): ReactNode {
  const { Banner: Moment } = thePast() ?? {};
  return (
    <div className={styles["banners"]}>
      <ConnectionBanner />
      {Moment && <Moment />}
      {readOnly && (
        <section aria-label="Maintenance">
          <Banner tone="info">Read-only for maintenance: changes are refused until it ends.</Banner>
        </section>
      )}
      {announcement && <Announced announcement={announcement} />}
    </div>
  );
}

function Announced({ announcement }: { readonly announcement: Announcement }): ReactNode {
  const { text, level, link, until = Infinity } = announcement;
  const dismissed = useSyncExternalStore(subscribePreferences, () => readPreference(DISMISSED));
  const now = useNow(60);
  if (dismissed === text || now >= until) return null;
  return (
    <section aria-label="Announcement">
      <Banner
        tone={level}
        actions={
          <IconButton label="Dismiss" tip="Dismiss" onClick={() => writePreference(DISMISSED, text)}>
            <XIcon size={16} />
          </IconButton>
        }
      >
        {text}
        {link !== undefined && (
          <>
            {" "}
            <ExternalLink address={link}>Details</ExternalLink>
          </>
        )}
      </Banner>
    </section>
  );
}
