import { ShieldAlertIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useCleanAddress } from "~/frame/clean-address";
import { useCan } from "~/frame/permissions/use-can";
import { isUidParam, type Address } from "~/frame/scope/address";
import { HiddenByRole } from "~/frame/scope/hidden-by-role";
import { useTitle } from "~/frame/scope/title";
import { paramToUid } from "~/frame/scope/uid-param";
import { Page, PageHeader } from "~/ui/layout/page";
import { onDemand } from "~/ui/on-demand";

// All of it: what it shares with other screens must not be loaded by them for it.
const Paste = onDemand(async () => (await import("./paste")).Paste);

const TITLE = "A token has leaked";

/** That of the audit log, whose fields this page doesn't need. */
const LOG = { access: { at: "visible", needs: ["CAP_IAM_ROLE_BINDINGS_LIST"] } } as const;

export interface LeakSearch {
  /** The identity whose token it is, as in an address. */
  identity?: string | undefined;
}

const readLeakSearch = ({ identity }: Address): LeakSearch => (isUidParam(identity) ? { identity } : {});

/** What a leaked token can do, did and left behind, and the plan that ends it. */
export function LeakedTokenPage(): ReactNode {
  const view = useCleanAddress(readLeakSearch);
  useTitle(TITLE);
  const { allowed, capability } = useCan(LOG, undefined);
  return (
    <Page>
      <PageHeader
        icon={ShieldAlertIcon}
        title={TITLE}
        description="What it can do, what it did, what it left behind, and a plan that cuts it off."
      />
      {allowed ? (
        <Paste key={view.identity} identity={view.identity && paramToUid(view.identity)} />
      ) : (
        <HiddenByRole
          capability={capability}
          because="What a token did is in the audit log, which tells who got which role"
          group={undefined}
        />
      )}
    </Page>
  );
}
