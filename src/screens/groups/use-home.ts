import { useScope } from "~/features/scope/scope";
import { useTopGroups } from "~/features/scope/top-groups";

/** uid of the parent of a new folder: the scope, else the only organization that the caller can see. */
export function useHome(): string | undefined {
  const { group } = useScope();
  const { organizations, folders, more } = useTopGroups();
  const [sole, second] = [...organizations, ...folders];
  return group ?? (second || more ? undefined : sole?.uid);
}
