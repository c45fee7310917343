import type { ReactNode } from "react";

import type { Identity } from "~/contract/iam/identities";
import { onDemand } from "~/ui/on-demand";
import { Unavailable, RecordLoader, type DrawersProps } from "~/resource/record-loader";

import { identityQuery } from "./queries";
import type { IdentityDrawer } from "./search";
import { fixedReason } from "./words";

// Nobody needs these before they are asked for.
const IdentityForm = onDemand(async () => (await import("./form")).IdentityForm);
const DeleteIdentity = onDemand(async () => (await import("./delete")).DeleteIdentity);

interface IdentityDrawersProps extends DrawersProps<IdentityDrawer, Identity> {
  /** uid of the group that a new one belongs to. */
  readonly scope?: string | undefined;
}

/** The forms and questions about identities, each opened by the address. */
export function IdentityDrawers(props: IdentityDrawersProps): ReactNode {
  const { drawer, item, known, scope, onClose, onDeleted } = props;
  if (drawer === undefined) return null;
  if (drawer === "create") return <IdentityForm scope={scope} onClose={onClose} />;
  const deletes = drawer === "delete";
  const frame = { noun: "identity", onClose };
  return (
    <RecordLoader {...frame} uid={item} query={identityQuery} known={deletes ? known : undefined}>
      {(identity) => {
        // A link may ask for what no menu offers.
        const fixed = fixedReason(identity);
        if (fixed !== undefined) return <Unavailable {...frame}>{fixed}</Unavailable>;
        return deletes ? (
          <DeleteIdentity identity={identity} onClose={onClose} onDeleted={() => onDeleted(identity.uid)} />
        ) : (
          <IdentityForm identity={identity} onClose={onClose} />
        );
      }}
    </RecordLoader>
  );
}
