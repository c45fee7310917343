import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { infinite, rowsOf } from "~/api/queries/queries";
import { isWithin, PAGE_SIZE_MAX, parentOf } from "platform-contract/aip";
import type { Identity } from "platform-contract/iam/identities";
import { roleBindings, type RoleBinding } from "platform-contract/iam/role-bindings";
import type { Role } from "platform-contract/iam/roles";
import { GroupLink, groupPage, placeWord } from "~/frame/scope/group-link";
import { useGroup } from "~/frame/scope/group-ancestry";
import { isBelowOrganization } from "./reach";
import { beyondRegistry } from "~/domains/access/roles/abilities";
import { formatCount, formatQuantity } from "~/ui/display/numbers";
import { shorten } from "~/ui/display/shorten";
import { Notice } from "~/ui/feedback/notice";
import { AppLink } from "~/ui/layout/link";

import { capabilityWords } from "./capability-words";
import { groupNameOf, identityUidOf, whoOf } from "./bindings";
import { gainOf, type Gain } from "./gain";
import { isPerson } from "~/frame/scope/people";
import { identityWords } from "./identity-words";
import { bindingPage, createIdentityIn } from "./links";
import { useRoleChoice } from "./roles";
import choosing from "./choosing.module.css";
import classes from "./styles.module.css";
import { useIdentities } from "./use-identities";

const inWords = (parts: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "conjunction" }).format(parts);

/** Maximum number of identities to compare, since each takes a request. */
const COMPARED = 5;

interface ReviewProps {
  readonly chosen: readonly string[];
  readonly roleUid: string;
  /** uid of the group where the role is granted. */
  readonly group: string;
  /** The existing binding for which the service refused a grant. */
  readonly existing?: RoleBinding | undefined;
}

/** Previews a grant: for each identity, the capabilities that it gains. */
export function Review({ chosen, roleUid, group, existing }: ReviewProps): ReactNode {
  const { roles } = useRoleChoice(group);
  const { known } = useIdentities(chosen);
  const role = roles.find(({ uid }) => uid === roleUid);
  const { group: place } = useGroup(group || undefined);
  if (!role || chosen.length === 0 || group === "") {
    const missing = [
      ...(chosen.length === 0 ? ["who gets access"] : []),
      ...(roleUid === "" ? ["a role"] : []),
      ...(group === "" ? ["a folder"] : []),
    ];
    return (
      <section className={choosing["review"]} aria-label="What changes">
        <h3 className={choosing["reviewTitle"]}>What changes</h3>
        <p className={classes["quiet"]}>
          {missing.length > 0 ? `Choose ${inWords(missing)} to see it.` : "Comparing…"}
        </p>
      </section>
    );
  }
  const compared = chosen.slice(0, COMPARED);
  const left = chosen.length - COMPARED;
  const holder = existing && identityUidOf(existing);
  return (
    <section className={choosing["review"]} aria-label="What changes">
      <h3 className={choosing["reviewTitle"]}>
        What changes in <bdi>{place?.name ?? shorten(group)}</bdi> and below
      </h3>
      {compared.map((uid) => (
        <Change
          key={uid}
          identity={uid}
          record={known.get(uid)}
          role={role}
          roles={roles}
          group={group}
          also={holder === uid ? existing : undefined}
        />
      ))}
      {existing && holder && chosen.includes(holder) && !compared.includes(holder) ? (
        <Exists name={whoOf(existing)} binding={existing} />
      ) : null}
      {left > 0 ? <p className={classes["quiet"]}>{left} more aren't compared.</p> : null}
    </section>
  );
}

interface ChangeProps {
  readonly identity: string;
  /** Undefined if the user can't see it. */
  readonly record: Identity | undefined;
  readonly role: Role;
  readonly roles: readonly Role[];
  readonly group: string;
  /** A binding created since the bindings were read. */
  readonly also: RoleBinding | undefined;
}

const heldBy = (identity: string) => infinite(roleBindings.list, { identity, page_size: PAGE_SIZE_MAX });

function Change({ identity, record, role, roles, group, also }: ChangeProps): ReactNode {
  const held = useInfiniteQuery(heldBy(identity));
  const { name } = identityWords(identity, record);
  if (held.isPending) return <p className={classes["quiet"]}>Comparing…</p>;
  if (held.isError)
    return (
      <p className={classes["quiet"]}>
        The current access of <bdi>{name}</bdi> couldn't be loaded. {held.error.message}
      </p>
    );
  const gain = gainOf({ identity, role, group }, [...rowsOf(held.data).rows, ...(also ? [also] : [])], roles);
  const home = parentOf(identity);
  return (
    <div className={choosing["change"]}>
      <Outcome name={name} identity={identity} role={role.uid} gain={gain} group={group} />
      {isBelowOrganization(home) && !gain.unreachable ? (
        <p className={classes["quiet"]}>
          <bdi>{name}</bdi> belongs to <GroupLink uid={home} />. It can't access anything outside of that
          folder.
        </p>
      ) : null}
      {isPerson(identity) || gain.unreachable ? null : <StrongForMachine role={role} />}
    </div>
  );
}

/** Warns about a role that allows a machine more than to pull and push images, and says what. */
export function StrongForMachine({ role }: { readonly role: Role }): ReactNode {
  const beyond = beyondRegistry(role.capabilities ?? []);
  if (beyond.length === 0) return null;
  const [first = "", second] = beyond.map(capabilityWords);
  const rest = beyond.length - (second === undefined ? 1 : 2);
  return (
    <Notice tone="warning" title={`A machine rarely needs the ${role.name} role`}>
      Pulling and pushing images takes less. Anyone who can run it can also: {first}
      {second === undefined ? null : `, ${second}`}
      {rest > 0 ? `, and ${formatCount(rest)} more` : null}. A custom role with only what it needs is safer.
    </Notice>
  );
}

interface OutcomeProps {
  readonly name: string;
  readonly identity: string;
  /** uid of the role. */
  readonly role: string;
  readonly gain: Gain;
  readonly group: string;
}

function Outcome({ name, identity, role, gain, group }: OutcomeProps): ReactNode {
  const { same, gained, unsure, unreachable } = gain;
  if (same && parentOf(same.uid) === group) return <Exists name={name} binding={same} />;
  if (unreachable)
    return (
      <Notice tone="warning" title="This role would have no effect">
        <bdi>{name}</bdi> belongs to <GroupLink uid={parentOf(identity)} />, and can only access that folder
        and everything below it.{" "}
        {isWithin(parentOf(identity), group) ? `This ${placeWord(group).toLowerCase()} is above it. ` : null}
        Grant the role to an identity of this {placeWord(group).toLowerCase()} instead:{" "}
        <AppLink target={createIdentityIn(group, identity, role)}>
          create one that signs in the same way
        </AppLink>
        , and let the workload sign in as that one.
      </Notice>
    );
  if (same) return <Inherited name={name} same={same} />;
  if (gained.length === 0)
    return (
      <p>
        <bdi>{name}</bdi> can already do all of this through other roles.
      </p>
    );
  return (
    <details open>
      <summary>
        <bdi>{name}</bdi> gains {unsure ? "up to " : ""}
        {formatQuantity(gained.length, "capability", "capabilities")}
      </summary>
      <ul className={choosing["gained"]}>
        {gained.map((capability) => (
          <li key={capability}>{capabilityWords(capability)}</li>
        ))}
      </ul>
    </details>
  );
}

const Exists = ({ name, binding }: { name: string; binding: RoleBinding }): ReactNode => (
  <Notice tone="warning" title="This access already exists">
    <bdi>{name}</bdi> has this role here.{" "}
    <AppLink target={bindingPage(binding.uid)}>Open the role binding</AppLink>
  </Notice>
);

const Inherited = ({ name, same }: { name: string; same: RoleBinding }): ReactNode => (
  <Notice title="This access is already inherited">
    <bdi>{name}</bdi> has this role in {placeWord(parentOf(same.uid)).toLowerCase()}{" "}
    <AppLink target={groupPage(parentOf(same.uid))}>
      <bdi>{groupNameOf(same)}</bdi>
    </AppLink>
    , which applies here too.
  </Notice>
);
