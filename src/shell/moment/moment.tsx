import { useSyncExternalStore, type ReactNode } from "react";

import { shownMoment } from "~/api/client/moment";
import { currentCommand, openCommand, subscribeCommand } from "~/shell/command/opened";
import { onDemand } from "~/ui/on-demand";

/** Never a moment without it. */
function Waiting(): ReactNode {
  return <p role="status">As of {shownMoment()}. Read-only.</p>;
}

const Banner = onDemand(async () => (await import("./moment-banner")).MomentBanner, <Waiting />);
const Dialog = onDemand(async () => (await import("./moment-dialog")).MomentDialog);

/** The moment of the past that the page shows, if it does not show now, and the dialog that asks for one. */
export function Moment(): ReactNode {
  const opened = useSyncExternalStore(subscribeCommand, currentCommand) === "moment";
  const moment = shownMoment();
  return (
    <>
      {moment !== undefined && <Banner moment={moment} />}
      {opened && <Dialog onClose={openCommand} />}
    </>
  );
}
