import type { ReactNode } from "react";

import type { LeftOut } from "~/api/bulk/copy-plan";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";

/** What a copy does not make, and what to do about it. */
export function LeftOutTable({ left }: { readonly left: readonly LeftOut[] }): ReactNode {
  if (left.length === 0) return null;
  return (
    <Section title="Not copied">
      <FactTable
        caption="Not copied"
        stacks
        head={["What", "Reason"]}
        rows={left.map(({ what, why }) => [what, why])}
      />
    </Section>
  );
}
