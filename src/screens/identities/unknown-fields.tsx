import type { ReactNode } from "react";

import type { Identity } from "~/contract/iam/identities";
import { Notice } from "~/ui/feedback/notice";

import classes from "./identities.module.css";
import { unknownMembers } from "./unknown-members";

/** Members that this console cannot edit: shown, so that nobody wonders, and left as they are by every save. */
export function UnknownMembers({ identity }: { readonly identity: Identity }): ReactNode {
  const members = unknownMembers(identity);
  if (members.length === 0) return null;
  return (
    <Notice title="Kept as it is">
      <p>This console does not know these members. Saving leaves them alone.</p>
      <dl className={classes["unknown"]}>
        {members.map(({ path, text }) => (
          <div key={path}>
            <dt>
              <code>{path}</code>
            </dt>
            <dd>
              <code dir="ltr">{text}</code>
            </dd>
          </div>
        ))}
      </dl>
    </Notice>
  );
}
