import { Button } from "@mantine/core";
import "~/ui/controls/button-styles";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { countingQuery } from "~/domains/access/grants/counting";
import { useCan } from "~/frame/permissions/use-can";
import { uidToParam } from "~/frame/scope/uid-param";
import { useSeenInPart } from "~/frame/scope/use-sight";
import { useView } from "~/frame/use-view";
import { parentOf, rootOf } from "platform-contract/aip";
import { identities } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";
import { Section } from "~/ui/display/section";
import { Notice } from "~/ui/feedback/notice";
import { AppLink, type LinkTarget } from "~/ui/layout/link";

import { actOf, ONESELF, type DecisionSearch } from "./data";
import classes from "./styles.module.css";
import { suggestedFor } from "./suggested";

interface UnaskedProps {
  /** uid of the repo or group. */
  readonly uid: string;
  readonly search: DecisionSearch;
  /** Its name. */
  readonly where: string;
}

/** Nobody is chosen: offers the ones that are asked about most. */
export function Unasked({ uid, search, where }: UnaskedProps): ReactNode {
  const { show } = useView<DecisionSearch & { drawer?: undefined }>();
  const { label, capabilities } = actOf(search);
  const holders: LinkTarget = {
    to: search.on === undefined ? "/groups/$uid" : "/repos/$uid",
    params: { uid: uidToParam(uid) },
    search: { tab: "access", can: capabilities.at(-1) },
  };
  return (
    <>
      <Notice
        title="Who is it about?"
        actions={
          <>
            <Button variant="default" onClick={() => show({ identity: ONESELF })}>
              Ask about yourself
            </Button>
            <Button variant="default" component={AppLink} target={holders}>
              See everybody who can {label}
            </Button>
          </>
        }
      >
        Choose a person or machine to see whether they can {label} in <bdi>{where}</bdi>, and why.
      </Notice>
      <Likely group={search.on === undefined ? uid : parentOf(uid)} />
    </>
  );
}

/** The machines of a folder, those that signed in last first: a job that is refused has just signed in. */
const machinesOf = (group: string) =>
  infinite(identities.list, { "uidp.children_of": group, order_by: "last_seen_time desc", page_size: 8 });

/** Those whom a question about a group is likely about, as far as the user sees them. */
function Likely({ group }: { readonly group: string }): ReactNode {
  const { show } = useView<DecisionSearch & { drawer?: undefined }>();
  const sees = useCan(roleBindings.list, group).allowed;
  const seesMachines = useCan(identities.list, group).allowed;
  const unseen = useSeenInPart(roleBindings.list, "people and machines", rootOf(group));
  const bindings = useQuery({ ...countingQuery(group), enabled: sees });
  const machines = useInfiniteQuery({ ...machinesOf(group), enabled: seesMachines });
  // All at once: nothing moves under the pointer.
  if (bindings.isLoading || machines.isLoading) return null;
  const likely = suggestedFor(bindings.data?.rows ?? [], rowsOf(machines.data).rows);
  if (likely.length === 0) return null;
  return (
    <Section
      title="People and machines to ask about"
      description={`Some of those who have a role here, or are from this folder, machines first; that doesn\u2019t mean that they can. Others are found above, under “Who”.${unseen === undefined ? "" : ` ${unseen}`}`}
    >
      <ul className={classes["bindings"]}>
        {likely.map(({ uid, name, note }) => (
          <li key={uid}>
            <Button variant="default" onClick={() => show({ identity: uidToParam(uid) })}>
              <bdi>{name}</bdi>
            </Button>{" "}
            <span className={classes["quiet"]}>{note}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
