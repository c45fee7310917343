import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";

import type { Identity } from "~/contract/iam/identities";
import "~/kit/button-styles";
import { errorFacts } from "~/kit/error-facts";
import { Notice } from "~/kit/notice";

import { identityQuery } from "./-identity-queries";
import type { IdentityDrawer } from "./-identity-search";
import { isPerson, PERSON_FIXED } from "./-identity-words";

// Nobody needs these before they are asked for.
const IdentityForm = lazy(() =>
  import("./-identity-form").then((module) => ({ default: module.IdentityForm })),
);
const DeleteIdentity = lazy(() =>
  import("./-delete-identity").then((module) => ({ default: module.DeleteIdentity })),
);

interface IdentityDrawersProps {
  /** What the address says is open. */
  readonly drawer: IdentityDrawer | undefined;
  /** uid of the identity that it is about. */
  readonly item: string | undefined;
  /** The same identity as a list has it: enough to delete it, be it gone meanwhile. */
  readonly known?: Identity | undefined;
  /** uid of the group that a new one belongs to. */
  readonly scope?: string | undefined;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** The forms and questions about identities, each opened by the address (rule 5). */
export function IdentityDrawers({
  drawer,
  item,
  known,
  scope,
  onClose,
  onDeleted,
}: IdentityDrawersProps): ReactNode {
  if (drawer === undefined) return null;
  return (
    <Suspense fallback={null}>
      {drawer === "create" ? (
        <IdentityForm scope={scope} onClose={onClose} />
      ) : item === undefined ? null : (
        <Existing key={item} uid={item} known={drawer === "delete" ? known : undefined} onClose={onClose}>
          {(identity) =>
            drawer === "edit" ? (
              <IdentityForm identity={identity} onClose={onClose} />
            ) : (
              <DeleteIdentity identity={identity} onClose={onClose} onDeleted={onDeleted} />
            )
          }
        </Existing>
      )}
    </Suspense>
  );
}

interface ExistingProps extends Pick<IdentityDrawersProps, "known" | "onClose"> {
  readonly uid: string;
  readonly children: (identity: Identity) => ReactNode;
}

/** Reads the identity that a form begins with. A link may name one that no list has loaded, or that is gone. */
function Existing({ uid, known, onClose, children }: ExistingProps): ReactNode {
  const { data, error } = useQuery({ ...identityQuery(uid), enabled: known === undefined });
  const found = known ?? data;
  const problem =
    found && isPerson(found) ? PERSON_FIXED : error && !found ? errorFacts(error).message : undefined;
  if (problem === undefined) return found ? children(found) : null;
  const close = (
    <Button variant="default" onClick={onClose}>
      Close
    </Button>
  );
  return (
    <Notice tone="warning" role="alert" title="The identity could not be opened" actions={close}>
      {problem}
    </Notice>
  );
}
