import type { ReactNode } from "react";

import type { Severity } from "platform-contract/vulnerabilities/severity";
import { Dash } from "~/ui/display/dash";
import { onDemand } from "~/ui/on-demand";

import classes from "./advisories.module.css";
import { loadCalculator } from "./calculator";

const View = onDemand(
  async () => (await loadCalculator()).SeverityView,
  <span className={classes["room"]} />,
);

/** A severity badge that loads the calculator on its own: rows do not wait for it. */
export const SeverityBadge = ({ of = [] }: { readonly of: readonly Severity[] | undefined }): ReactNode =>
  of.length === 0 ? <Dash label="not scored" /> : <View of={of} />;
