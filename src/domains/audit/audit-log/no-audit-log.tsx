import { ScrollTextIcon } from "lucide-react";
import type { ReactNode } from "react";

import { Empty } from "~/ui/feedback/empty";
import { Page } from "~/ui/layout/page";

/** In place of the screens of a log that the service doesn't have. */
export const NoAuditLog = (): ReactNode => (
  <Page>
    <Empty icon={<ScrollTextIcon size={24} />} title="No audit log" level={1}>
      This service doesn&apos;t keep one. An admin who adds it sets <code>auditLog</code> in config.json.
    </Empty>
  </Page>
);
