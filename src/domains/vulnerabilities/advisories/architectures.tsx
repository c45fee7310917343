import { Fragment, type ReactNode } from "react";

import { by } from "platform-contract/order";
import type { Advisory } from "platform-contract/vulnerabilities/advisories";
import { AppLink } from "~/ui/layout/link";

import { advisoryPage } from "./links";
import classes from "./styles.module.css";

const architectureOf = ({ artifactArchitecture = "" }: Advisory): string =>
  artifactArchitecture || "any architecture";

/** Advisories that are one row, by their architectures. */
export const sortedByArchitecture = (alike: readonly Advisory[]): readonly Advisory[] =>
  alike.toSorted(by(architectureOf, ({ uid }) => uid));

/** "aarch64, x86_64"; empty for one advisory of any architecture. */
export const architecturesText = (alike: readonly Advisory[]): string =>
  alike.length > 1
    ? sortedByArchitecture(alike).map(architectureOf).join(", ")
    : (alike[0]?.artifactArchitecture ?? "");

/** The architectures of advisories that are one row; each leads to its own advisory. */
export const Architectures = ({ of }: { readonly of: readonly Advisory[] }): ReactNode => (
  <span className={classes["quiet"]}>
    {of.length > 1
      ? sortedByArchitecture(of).map((one, index) => (
          <Fragment key={one.uid}>
            {index > 0 ? ", " : ""}
            <AppLink target={advisoryPage(one.uid)}>{architectureOf(one)}</AppLink>
          </Fragment>
        ))
      : architecturesText(of)}
  </span>
);
