import { Button } from "@mantine/core";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";

import { useSessionEnding } from "~/auth/use-session";
import "~/ui/controls/button-styles";

import styles from "./session-ended.module.css";
import { REACH, useReach } from "./use-reach";
import { useSignInAgain } from "./use-sign-in-again";

const WORDS = {
  expired: "Your session has ended. Nothing on this page is lost. Sign in again to continue.",
  "signed-out": "You signed out in another tab. Sign in again to continue.",
};

/** Shows over the intact page that the session has ended; when dismissed, remains as a line at the bottom. */
export function SessionEnded(): ReactNode {
  const ending = useSessionEnding();
  return ending && <Ended key={ending} text={WORDS[ending]} />;
}

function Ended({ text }: { readonly text: string }): ReactNode {
  const { signIn, leaving, problem } = useSignInAgain();
  const id = useId();
  const bar = useRef<HTMLDivElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [away, setAway] = useState(false);

  useReach(bar);
  useEffect(() => {
    if (away) return;
    dialog.current?.showModal();
  }, [away]);

  const again = (
    <Button loading={leaving} onClick={signIn} aria-keyshortcuts={away ? REACH : undefined}>
      Sign in again
    </Button>
  );
  const said = problem !== undefined && (
    <p role="alert" className={styles["problem"]}>
      {problem}
    </p>
  );

  if (away)
    return (
      <div ref={bar} className={styles["bar"]} role="status">
        <span>Your session has ended.</span>
        {said}
        {again}
      </div>
    );
  return (
    <dialog
      ref={dialog}
      className={styles["dialog"]}
      aria-labelledby={`${id}t`}
      aria-describedby={`${id}d`}
      onClose={() => setAway(true)}
    >
      <h2 id={`${id}t`}>Session ended</h2>
      <p id={`${id}d`}>{text}</p>
      {said}
      <div className={styles["actions"]}>
        {again}
        <Button variant="default" onClick={() => dialog.current?.close()}>
          Stay on this page
        </Button>
      </div>
    </dialog>
  );
}
