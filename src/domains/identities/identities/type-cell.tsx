import {
  BotIcon,
  BracesIcon,
  CloudIcon,
  FileKeyIcon,
  ServerIcon,
  UserIcon,
  WorkflowIcon,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { Kind } from "~/ui/display/kind";

import { typeWord } from "./words";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  Person: UserIcon,
  "GitHub Actions": WorkflowIcon,
  "OIDC claims": BracesIcon,
  "Static keys": FileKeyIcon,
  AWS: CloudIcon,
  "Platform service": ServerIcon,
};

/** How an identity signs in. */
export function TypeCell({ identity }: { readonly identity: Identity }): ReactNode {
  const word = typeWord(identity);
  const Icon = ICONS[word] ?? BotIcon;
  return <Kind icon={<Icon size={14} />}>{word}</Kind>;
}
