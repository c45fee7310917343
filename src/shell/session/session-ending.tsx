import { type ReactNode, useEffect, useRef, useState } from "react";
import { XIcon } from "lucide-react";
import { Button } from "@mantine/core";

import { useSessionEnd } from "~/auth/use-session";
import { announce } from "~/ui/feedback/announcer";
import "~/ui/controls/button-styles";
import { useNow } from "~/ui/clock";
import { IconButton } from "~/ui/controls/icon-button";

import { minutesAndSeconds, spokenTime } from "./countdown";
import styles from "./session-ended.module.css";
import { REACH, useReach } from "./use-reach";
import { useSignInAgain } from "./use-sign-in-again";

/** A notice that the session ends at `end`, in seconds since 1970. */
function EndingNotice({ end }: { readonly end: number }): ReactNode {
  const { signIn, leaving, problem } = useSignInAgain();
  const notice = useRef<HTMLElement>(null);
  const [away, setAway] = useState(false);
  const left = Math.max(0, Math.round(end - useNow(1) / 1000));

  useReach(notice);
  useEffect(() => {
    const seconds = Math.max(0, Math.round(end - Date.now() / 1000));
    // Announce once: a spoken countdown would drown out everything else.
    announce(`Your session ends in ${spokenTime(seconds)}. Press ${REACH} to go to “Sign in again now”.`);
  }, [end]);

  if (away) return null;
  return (
    <section ref={notice} className={styles["bar"]} aria-label="Session ending">
      <p>
        Your session ends in{" "}
        <span role="timer" className={styles["time"]}>
          {minutesAndSeconds(left)}
        </span>
        .
      </p>
      {problem !== undefined && (
        <p role="alert" className={styles["problem"]}>
          {problem}
        </p>
      )}
      <span className={styles["buttons"]}>
        <Button loading={leaving} onClick={signIn} aria-keyshortcuts={REACH}>
          Sign in again now
        </Button>
        <IconButton label="Hide this notice" tip={false} onClick={() => setAway(true)}>
          <XIcon size={16} />
        </IconButton>
      </span>
    </section>
  );
}

/** Warns that a session without renewal is about to end, while the user can still act. */
export function SessionEnding(): ReactNode {
  const end = useSessionEnd();
  return end !== undefined && <EndingNotice key={end} end={end} />;
}
