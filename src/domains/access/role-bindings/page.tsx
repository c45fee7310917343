import { useNavigate, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";

import { identityLink } from "~/frame/record/identity-link";
import { parentOf } from "platform-contract/aip";
import { roleUidOf, type RoleBinding } from "platform-contract/iam/role-bindings";
import { updatedFact } from "~/frame/record/history";
import { RoleLink } from "~/domains/access/roles/role-link";
import { uidToParam } from "~/frame/scope/uid-param";
import { groupPage, placeWord } from "~/frame/scope/group-link";
import { RecordScreen } from "~/frame/record/record-screen";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { useEndTerm } from "~/ui/display/expiry";
import { Time } from "~/ui/display/time";
import { AppLink, type LinkTarget } from "~/ui/layout/link";

import { Granted } from "~/domains/access/grants/granted";
import { grantLink } from "~/domains/access/grants/links";
import { WithoutEffect } from "~/domains/access/grants/without-effect";
import { LastUsed } from "~/domains/access/use/last-used";
import { useRecordsUse } from "~/domains/access/use/queries";
import { onDemand } from "~/ui/on-demand";
import { HolderSeen } from "~/domains/access/grants/holder-seen";
import { groupNameOf, identityUidOf, roleNameOf, whoOf } from "~/domains/access/grants/bindings";
import { roleBindingScreens } from "./data";

/** Shows one role binding: who has which role, and where. */
export function RoleBindingPage(): ReactNode {
  return (
    <RecordScreen
      of={roleBindingScreens}
      onDeleted={useWayBack()}
      actions={(binding) => [
        {
          label: "Grant this role to somebody else",
          link: grantLink({ role: roleUidOf(binding), group: parentOf(binding.uid) }),
        },
      ]}
    >
      {(binding) => <Facts binding={binding} />}
    </RecordScreen>
  );
}

/** Leaves for the page before this one, of whatever shows roles; without one for the list of the folder. */
function useWayBack(): (uid: string) => void {
  const { history } = useRouter();
  const navigate = useNavigate();
  return (uid) => {
    const { __TSR_index: index, over } = history.location.state;
    // The question may lie over the page as an entry of its own.
    const steps = over ? 2 : 1;
    if (index >= steps) history.go(-steps);
    else
      void navigate({
        to: roleBindingScreens.listPath,
        search: { group: uidToParam(parentOf(uid)) },
        replace: true,
      });
  };
}

// Its forms and what compares roles load after the page.
const SmallerRole = onDemand<{ binding: RoleBinding }>(
  async () => (await import("~/domains/access/use/smaller-role")).SmallerRole,
);

function Facts({ binding }: { readonly binding: RoleBinding }): ReactNode {
  const [identity, role, group] = [identityUidOf(binding), roleUidOf(binding), parentOf(binding.uid)];
  const { subject, issuer } = binding.identity ?? {};
  const recordsUse = useRecordsUse();
  const ends = useEndTerm(binding.expirationTime, "Ends", "Ended");
  return (
    <>
      <WithoutEffect bindings={[binding]} own />
      <DefinitionList
        items={[
          {
            term: "Identity",
            value: <Linked to={identityLink(identity)} text={whoOf(binding)} />,
          },
          {
            term: "Role",
            value: <RoleLink uid={role} name={roleNameOf(binding)} />,
          },
          {
            term: placeWord(group),
            value: (
              <>
                <Linked to={groupPage(group)} text={groupNameOf(binding)} /> and everything below it
              </>
            ),
            wide: true,
          },
          { term: "Issuer", value: issuer && <Code value={issuer} what="issuer" />, wide: true },
          { term: "Subject", value: subject && <Code value={subject} what="subject" />, wide: true },
          ...(binding.expirationTime ? [{ term: ends, value: <Time value={binding.expirationTime} /> }] : []),
          { term: "Last seen", value: <HolderSeen binding={binding} /> },
          ...(recordsUse ? [{ term: "Last used", value: <LastUsed binding={binding} /> }] : []),
          updatedFact("roleBindings", binding),
          { term: "Granted", value: <Granted binding={binding} />, wide: true },
        ]}
      />
      {recordsUse ? <SmallerRole binding={binding} /> : null}
    </>
  );
}

const Linked = ({ to, text }: { readonly to: LinkTarget; readonly text: string }): ReactNode => (
  <AppLink target={to}>
    <bdi>{text}</bdi>
  </AppLink>
);
