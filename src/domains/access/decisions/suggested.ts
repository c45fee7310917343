import type { Identity } from "platform-contract/iam/identities";
import type { RoleBinding } from "platform-contract/iam/role-bindings";
import { groupNameOf, identityUidOf, roleNameOf, whoOf } from "~/domains/access/grants/bindings";
import { identityWords } from "~/domains/access/grants/identity-words";
import { isPerson } from "~/frame/scope/people";

/** Somebody whom a question can be about. */
interface Suggested {
  /** uid of the identity. */
  readonly uid: string;
  readonly name: string;
  /** "machine, registry.pull in team". */
  readonly note: string;
}

/** As many as are shown. */
const MOST = 8;

/**
 * Whom a refusal is likely about: machines with a role there or above, then other machines of that folder, then people.
 * @param bindings those that count there, nearest first
 * @param others machines of the folder, the likeliest first
 */
export function suggestedFor(
  bindings: readonly RoleBinding[],
  others: readonly Identity[],
): readonly Suggested[] {
  const all = new Map<string, Suggested>();
  const add = (one: Suggested) => (all.has(one.uid) ? undefined : all.set(one.uid, one));
  const isOne = (person: boolean) => (binding: RoleBinding) => isPerson(identityUidOf(binding)) === person;
  const addHolder = (binding: RoleBinding) =>
    add({
      uid: identityUidOf(binding),
      name: whoOf(binding),
      note: `${isPerson(identityUidOf(binding)) ? "person" : "machine"}, ${roleNameOf(binding)} in ${groupNameOf(binding)}`,
    });
  for (const binding of bindings.filter(isOne(false))) addHolder(binding);
  for (const machine of others) add({ uid: machine.uid, ...identityWords(machine.uid, machine) });
  for (const binding of bindings.filter(isOne(true))) addHolder(binding);
  return [...all.values()].slice(0, MOST);
}
