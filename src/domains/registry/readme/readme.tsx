import { onDemand } from "~/ui/on-demand";

import { WaitingReadme } from "./readme-states";

/** A readme whose parser and renderer load with the first one: they are larger than a screen. */
export const FormattedReadme = onDemand(
  async () => (await import("./formatted-readme")).FormattedReadme,
  <WaitingReadme />,
);
