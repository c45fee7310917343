import { useRefusal } from "~/frame/permissions/use-can";
import { identities } from "platform-contract/iam/identities";
import { roleBindings } from "platform-contract/iam/role-bindings";

/** Why the user can't create a pull token in a folder (uid; undefined: anywhere), which is an identity and its role. */
export function usePullTokenRefusal(): (folder: string | undefined) => string | undefined {
  const refusal = useRefusal();
  return (folder) => refusal(identities.create, folder) ?? refusal(roleBindings.create, folder);
}
