import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { PAGE_SIZE_MAX, parentOf } from "~/contract/aip";
import type { Identity } from "~/contract/iam/identities";
import { roleBindings, type RoleBinding } from "~/contract/iam/role-bindings";
import type { Role } from "~/contract/iam/roles";
import { groupPage } from "~/features/scope/group-link";
import { useGroup } from "~/features/scope/group-ancestry";
import { formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import { capabilityWords } from "./capability-words";
import { groupNameOf } from "./data";
import { gainOf, type Gain } from "./effective";
import { identityWords, isPerson } from "./identity-words";
import { bindingPage } from "./links";
import { useRoleChoice } from "./roles";
import classes from "./styles.module.css";
import { useIdentities } from "./use-identities";

/** Identities that are compared: more would be a request for each of them. */
const COMPARED = 5;

interface ReviewProps {
  readonly chosen: readonly string[];
  readonly roleUid: string;
  /** uid of the group where the role is given. */
  readonly group: string;
}

/** What a grant will change, before it is made: for each identity what it can do afterwards that it could not before. */
export function Review({ chosen, roleUid, group }: ReviewProps): ReactNode {
  const { roles } = useRoleChoice(group);
  const { known } = useIdentities(chosen);
  const role = roles.find(({ uid }) => uid === roleUid);
  const { group: place } = useGroup(group || undefined);
  if (!role || chosen.length === 0 || group === "") return null;
  const left = chosen.length - COMPARED;
  return (
    <section className={classes["review"]} aria-label="What changes">
      <h3 className={classes["reviewTitle"]}>
        What changes in <bdi>{place?.name ?? shorten(group)}</bdi> and below
      </h3>
      {chosen.slice(0, COMPARED).map((uid) => (
        <Change key={uid} identity={uid} record={known.get(uid)} role={role} roles={roles} group={group} />
      ))}
      {left > 0 ? <p className={classes["quiet"]}>{left} more are not compared.</p> : null}
    </section>
  );
}

interface ChangeProps {
  readonly identity: string;
  /** As far as it may be seen. */
  readonly record: Identity | undefined;
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly group: string;
}

const heldBy = (identity: string) => infinite(roleBindings.list, { identity, page_size: PAGE_SIZE_MAX });

function Change({ identity, record, role, roles, group }: ChangeProps): ReactNode {
  const held = useInfiniteQuery(heldBy(identity));
  const { name } = identityWords(identity, record);
  if (held.isPending) return <p className={classes["quiet"]}>Comparing…</p>;
  if (held.isError)
    return (
      <p className={classes["quiet"]}>
        What <bdi>{name}</bdi> can do now could not be found out. {held.error.message}
      </p>
    );
  const gain = gainOf({ identity, role, group }, rowsOf(held.data).rows, roles);
  const strong = ["owner", "editor"].includes(role.name) && parentOf(role.uid) === "";
  return (
    <div className={classes["change"]}>
      <Outcome name={name} gain={gain} group={group} />
      {strong && !isPerson(identity) && !gain.unreachable ? (
        <Notice tone="warning" title={`A machine rarely needs the ${role.name} role`}>
          Anyone who can run it can do all of this. A custom role with only what it uses is safer.
        </Notice>
      ) : null}
    </div>
  );
}

function Outcome({ name, gain, group }: { name: string; gain: Gain; group: string }): ReactNode {
  const { same, gained, unsure, unreachable } = gain;
  if (same && parentOf(same.uid) === group)
    return (
      <Notice tone="warning" title="This access exists already">
        <bdi>{name}</bdi> has this role here.{" "}
        <AppLink target={bindingPage(same.uid)}>Open the role binding</AppLink>
      </Notice>
    );
  if (unreachable)
    return (
      <Notice tone="warning" title="This role would have no effect">
        <bdi>{name}</bdi> belongs to another folder, and has no access outside of it.
      </Notice>
    );
  if (same) return <Inherited name={name} same={same} />;
  if (gained.length === 0)
    return (
      <p>
        <bdi>{name}</bdi> can do all of this already, by other roles.
      </p>
    );
  return (
    <details>
      <summary>
        <bdi>{name}</bdi> gains {unsure ? "up to " : ""}
        {formatQuantity(gained.length, "capability", "capabilities")}
      </summary>
      <ul className={classes["gained"]}>
        {gained.map((capability) => (
          <li key={capability}>{capabilityWords(capability)}</li>
        ))}
      </ul>
    </details>
  );
}

const Inherited = ({ name, same }: { name: string; same: RoleBinding }): ReactNode => (
  <Notice title="This access is inherited already">
    <bdi>{name}</bdi> has this role in{" "}
    <AppLink target={groupPage(parentOf(same.uid))}>
      <bdi>{groupNameOf(same)}</bdi>
    </AppLink>
    , which applies here too.
  </Notice>
);
