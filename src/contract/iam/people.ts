import { parentOf } from "../aip";

let machines: ReadonlySet<string> = new Set();

/** Sets the identities at the root level that are clients of the service, as `config.json` names them. */
export function setMachines(uids: readonly string[]): void {
  machines = new Set(uids);
}

/** Those identities' uids. */
export const machinesAtRoot = (): ReadonlySet<string> => machines;

/** True if an identity is a person: people are at the root level, one per issuer and subject. */
export const isPerson = (uid: string): boolean => parentOf(uid) === "" && !machines.has(uid);
