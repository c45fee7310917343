import { BotIcon, UserIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Kind } from "~/ui/display/kind";

/** Who holds a role: a person, or a workload that signs in by itself. */
export const HolderKind = ({ machine }: { readonly machine: boolean }): ReactNode => (
  <Kind icon={machine ? BotIcon : UserIcon}>{machine ? "Machine" : "Person"}</Kind>
);
