import { parentOf } from "platform-contract/aip";

/** Client ids at the issuer of people, whose tokens are a program's. */
interface MachineClients {
  readonly issuer: string;
  readonly ids: readonly string[];
}

interface Machines {
  readonly uids: ReadonlySet<string>;
  readonly clients: MachineClients;
}

const NONE: Machines = { uids: new Set(), clients: { issuer: "", ids: [] } };

/** What `config.json` says of this installation; set once, before the first screen. */
const store = { machines: NONE };

/** Sets the identities at the root level that are clients of the service, and those clients; without any, none. */
export function setMachines(uids: readonly string[] = [], clients = NONE.clients): void {
  store.machines = { uids: new Set(uids), clients };
}

/** Those identities' uids. */
export const machinesAtRoot = (): ReadonlySet<string> => store.machines.uids;

/** True if a program signs in with this subject: a client of the service, with its own secret. */
export const isMachineClient = (issuer: string | undefined, subject: string | undefined): boolean =>
  issuer === store.machines.clients.issuer &&
  subject !== undefined &&
  store.machines.clients.ids.includes(subject);

/** True if an identity is a person: people are at the root level, one per issuer and subject. */
export const isPerson = (uid: string): boolean => parentOf(uid) === "" && !store.machines.uids.has(uid);

/** True if an identity is a client of the service itself: at the root level like people, and a machine. */
export const isClient = ({ uid }: { readonly uid: string }): boolean =>
  parentOf(uid) === "" && !isPerson(uid);
