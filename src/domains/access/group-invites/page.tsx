import type { ReactNode } from "react";

import { identityLink } from "~/frame/record/identity-link";
import { useRefusal } from "~/frame/permissions/use-can";
import { parentOf } from "platform-contract/aip";
import { groupInvites, type GroupInvite } from "platform-contract/iam/group-invites";
import { updatedFact } from "~/frame/record/history";
import { RoleLink } from "~/domains/access/roles/role-link";
import { placeFact } from "~/frame/scope/group-link";
import { RecordScreen } from "~/frame/record/record-screen";
import { useView } from "~/frame/use-view";
import type { PageView } from "~/frame/define";
import { ActionButton } from "~/ui/controls/action-button";
import { DefinitionList } from "~/ui/display/definition-list";
import { Expiry, useEndTerm } from "~/ui/display/expiry";
import { Time } from "~/ui/display/time";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import { invitedRoleOf } from "~/domains/access/grants/sent-invites";
import { forWhom, groupInviteScreens, inviterOf, mailedOf, SOON } from "./data";
import { InviteState } from "./state";

/** Shows one invite: its role, recipient and expiry. */
export function GroupInvitePage(): ReactNode {
  const { open } = useView<PageView>();
  const refusal = useRefusal();
  return (
    <RecordScreen
      of={groupInviteScreens}
      badges={(invite) => <InviteState invite={invite} />}
      primary={({ uid }) => (
        <ActionButton
          reason={refusal(groupInvites.create, uid) ?? refusal(groupInvites.delete, uid)}
          onClick={() => open("reissue")}
        >
          Re-issue
        </ActionButton>
      )}
    >
      {(invite) => (
        <>
          {invite.role ? null : (
            <Notice tone="warning" title="The role was deleted">
              This invite can't be used until you give it another role.
            </Notice>
          )}
          <InviteFacts invite={invite} />
        </>
      )}
    </RecordScreen>
  );
}

function InviteFacts({ invite }: { readonly invite: GroupInvite }): ReactNode {
  const { uid, role, roleUid = "", createdBy } = invite;
  const ends = useEndTerm(invite.expirationTime, "Expires", "Expired");
  return (
    <DefinitionList
      items={[
        { term: "For", value: <bdi>{forWhom(invite)}</bdi> },
        {
          term: "Role",
          value: role ? <RoleLink uid={roleUid} name={invitedRoleOf(invite)} /> : <code>{roleUid}</code>,
        },
        ...(mailedOf(invite) === undefined ? [] : [{ term: "Mail", value: mailedOf(invite) }]),
        placeFact(parentOf(uid)),
        { term: "Uses", value: invite.singleUse ? "One person, once" : "Any number of people" },
        { term: ends, value: <Expiry value={invite.expirationTime} soon={SOON} /> },
        {
          term: "Invited by",
          value: createdBy && (
            <AppLink target={identityLink(createdBy.uid)}>
              <bdi>{inviterOf(invite)}</bdi>
            </AppLink>
          ),
        },
        { term: "Key ID", value: invite.keyId && <code>{invite.keyId}</code> },
        { term: "Created", value: <Time value={invite.createTime} /> },
        updatedFact("groupInvites", invite),
      ]}
    />
  );
}
