import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { useRefusal } from "~/access/use-can";
import { identities } from "~/contract/iam/identities";
import { ActionButton } from "~/ui/controls/action-button";
import { Badge } from "~/ui/display/badge";
import { deleteAction } from "~/ui/overlay/menu";
import { RecordHeader, RecordPage } from "~/resource/record-page";
import { useView } from "~/resource/use-view";

import { IdentityBindings } from "./bindings";
import { IdentityDrawers } from "./drawers";
import { IdentityFacts, Recognition } from "./facts";
import { identityQuery } from "./queries";
import type { IdentityDetailSearch } from "./search";
import { fixedReason, kindWord, nameOf } from "./words";
import { IssuerNote } from "./issuer-note";

const route = getRouteApi("/identities/$uid");

/** One identity: what recognises it, and what it may do. */
export function IdentityDetail(): ReactNode {
  const navigate = route.useNavigate();
  const { drawer } = route.useSearch();
  const { open, close } = useView<IdentityDetailSearch>();
  const refusal = useRefusal();
  return (
    <RecordPage param={route.useParams().uid} query={identityQuery}>
      {(identity, stale) => (
        <>
          <RecordHeader
            uid={identity.uid}
            record={identity}
            name={nameOf(identity)}
            badges={<Badge>{kindWord(identity)}</Badge>}
            menu={(common) => [
              ...common,
              deleteAction(
                () => open("delete"),
                fixedReason(identity) ?? refusal(identities.delete, identity.uid),
              ),
            ]}
          >
            <ActionButton
              reason={fixedReason(identity) ?? refusal(identities.update, identity.uid)}
              onClick={() => open("edit")}
            >
              Edit
            </ActionButton>
          </RecordHeader>
          {stale}
          <IdentityDrawers
            drawer={drawer}
            item={identity.uid}
            known={identity}
            onClose={close}
            onDeleted={() => void navigate({ to: "/identities", replace: true })}
          />
          <IdentityFacts identity={identity} />
          <Recognition identity={identity} />
          <IssuerNote issuer={identity.claimMatch?.issuer ?? ""} />
          <IdentityBindings identity={identity} />
        </>
      )}
    </RecordPage>
  );
}
