import type { ReactNode } from "react";

import type { Role } from "platform-contract/iam/roles";
import { Section } from "~/ui/display/section";

import { areasOf } from "./areas";
import classes from "./styles.module.css";

/** Lists the capabilities of a role by area. */
export function CapabilityList({ of: { capabilities = [] } }: { readonly of: Role }): ReactNode {
  return (
    <Section title="Capabilities" count={capabilities.length}>
      <div className={classes["columns"]}>
        {areasOf(capabilities).map(({ title, capabilities: held }) => (
          <div key={title} className={classes["held"]}>
            <h3 className={classes["heldTitle"]}>
              {title} <span className={classes["count"]}>{held.length}</span>
            </h3>
            <ul className={classes["plain"]}>
              {held.map(({ wire, name, meaning }) => (
                <li key={wire}>
                  {meaning} <code className={classes["code"]}>{name}</code>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </Section>
  );
}
