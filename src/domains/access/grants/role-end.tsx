import type { ReactNode } from "react";

import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { useEndTerm } from "~/ui/display/expiry";
import { Time } from "~/ui/display/time";

import classes from "./styles.module.css";

/** Until when a role is held, with the space after its name; nothing if it has no end. */
export function RoleEnd({ of: { expirationTime } }: { readonly of: RoleBinding }): ReactNode {
  const term = useEndTerm(expirationTime, "ends", "ended");
  return expirationTime === undefined ? null : (
    <>
      {" "}
      <span className={classes["note"]}>
        {term} <Time value={expirationTime} />
      </span>
    </>
  );
}
