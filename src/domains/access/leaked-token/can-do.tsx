import type { ReactNode } from "react";

import { groupNameOf, roleNameOf } from "~/domains/access/grants/bindings";
import { identityTab } from "~/domains/identities/identities/effective-access/links";
import { MayDo } from "~/domains/identities/identities/token-tester/may-do";
import { Section } from "~/ui/display/section";
import { AppLink } from "~/ui/layout/link";

import type { LeakAnswer } from "./read";
import classes from "./styles.module.css";

interface CanDoProps {
  readonly answer: LeakAnswer;
  /** True if the token is accepted no more. */
  readonly hasEnded: boolean;
}

/** What the roles of its identities let it do. */
export function CanDo({ answer: { whose, bindings }, hasEnded }: CanDoProps): ReactNode {
  const known = whose.flatMap(({ record }) => (record ? [record] : []));
  if (known.length === 0) return null;
  return (
    <Section
      title={hasEnded ? "What its identity can do now" : "What it can do now"}
      description={
        hasEnded
          ? "The token has ended and is no longer accepted. A new token of its identity can do this."
          : "Until it ends, by the roles of its identity. A token from an exchange may be limited further."
      }
    >
      {known.map((record) => {
        const own = bindings.filter((one) => (one.identityUid ?? one.identity?.uid) === record.uid);
        return (
          <div key={record.uid} className={classes["can"]}>
            <h3>
              <AppLink target={identityTab(record.uid, "access")}>
                <bdi>{record.name}</bdi>
              </AppLink>
            </h3>
            {own.length === 0 ? (
              <p className={classes["quiet"]}>It has no role that you can see.</p>
            ) : (
              <ul className={classes["list"]}>
                {own.map((binding) => (
                  <li key={binding.uid}>
                    <bdi>{roleNameOf(binding)}</bdi> in <bdi>{groupNameOf(binding)}</bdi> and below
                  </li>
                ))}
              </ul>
            )}
            <MayDo identity={record} />
          </div>
        );
      })}
    </Section>
  );
}
