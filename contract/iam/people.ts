import { parentOf } from "../aip";

/** Client ids at the issuer of people, whose tokens are a program's. */
interface MachineClients {
  readonly issuer: string;
  readonly ids: readonly string[];
}

let machines: ReadonlySet<string> = new Set();
let clients: MachineClients = { issuer: "", ids: [] };

/** Sets the identities at the root level that are clients of the service, and those clients, as `config.json` names them. */
export function setMachines(uids: readonly string[], named: MachineClients = { issuer: "", ids: [] }): void {
  machines = new Set(uids);
  clients = named;
}

/** Those identities' uids. */
export const machinesAtRoot = (): ReadonlySet<string> => machines;

/** True if a program signs in with this subject: a client of the service, with its own secret. */
export const isMachineClient = (issuer: string | undefined, subject: string | undefined): boolean =>
  issuer === clients.issuer && subject !== undefined && clients.ids.includes(subject);

/** True if an identity is a person: people are at the root level, one per issuer and subject. */
export const isPerson = (uid: string): boolean => parentOf(uid) === "" && !machines.has(uid);

/** True if an identity is a client of the service itself: at the root level like people, and a machine. */
export const isClient = ({ uid }: { readonly uid: string }): boolean =>
  parentOf(uid) === "" && !isPerson(uid);
