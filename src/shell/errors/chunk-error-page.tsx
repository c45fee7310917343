import { Button } from "@mantine/core";
import { useEffect, useState, type ReactNode } from "react";

import "~/ui/controls/button-styles";
import { ErrorView } from "~/ui/feedback/error-view";
import { UNLOAD_TIMEOUT_MS, recover, reloadByHand, type Recovery } from "~/ui/feedback/chunk-error";

const WORDS = {
  unreachable: {
    title: "This part of the console couldn't be loaded",
    message: "The console can't be reached right now. Reload the page when you're back online.",
  },
  stuck: {
    title: "Part of the console couldn't be loaded",
    message:
      "A file is missing on the server. Reload the page in a moment. If that doesn't help, contact your administrator.",
  },
};

/** Shown when a screen's code failed to load: reloads the page if that can help, otherwise says why not. */
export function ChunkErrorPage({ details }: { readonly details: string }): ReactNode {
  const [state, setState] = useState<Recovery>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let shown = true;
    const look = async () => {
      const found = await recover();
      if (!shown) return;
      setState(found);
      // The user may have chosen to stay.
      if (found === "reloading") timer = setTimeout(look, UNLOAD_TIMEOUT_MS);
    };
    void look();
    return () => {
      shown = false;
      clearTimeout(timer);
    };
  }, []);
  const byHand = async () => {
    if ((await reloadByHand()) === "reloading") return;
    setState("unreachable");
    setTries((turn) => turn + 1);
  };
  // Decided within one request; render nothing, to avoid a flash before the reload.
  if (state === undefined || state === "reloading") return null;
  const { title, message } = WORDS[state];
  return (
    <ErrorView
      level={1}
      title={title}
      message={
        <>
          {message}
          {tries > 0 && (
            <span key={tries} role="alert">
              {" "}
              Still unreachable.
            </span>
          )}
        </>
      }
      details={details}
      actions={
        <Button variant="default" onClick={() => void byHand()}>
          Reload
        </Button>
      }
    />
  );
}
