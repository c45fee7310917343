import { BracesIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useCleanAddress } from "~/frame/clean-address";
import { Page, PageHeader } from "~/ui/layout/page";
import { onDemand } from "~/ui/on-demand";

import { readExplorerSearch, TITLE } from "./search";

/** What only this screen needs of what others load later would move into their first visit. */
const Explorer = onDemand(async () => (await import("./explorer")).Explorer);

/** Every operation of the API, from its own description, with reads that can be sent from here. */
export function ApiExplorer(): ReactNode {
  const search = useCleanAddress(readExplorerSearch);
  return (
    <Page>
      <PageHeader
        icon={BracesIcon}
        title={TITLE}
        description="What this console does, programs can do too. Send reads as yourself, and copy any request as a command."
      />
      <Explorer search={search} />
    </Page>
  );
}
