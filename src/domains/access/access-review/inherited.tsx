import type { ReactNode } from "react";

import type { AccessReview, AccessReviewItem } from "platform-contract/iam/access-reviews";
import { bindingPage } from "~/domains/access/grants/links";
import { FactTable } from "~/ui/display/fact-table";
import { formatQuantity } from "~/ui/display/numbers";
import { Section } from "~/ui/display/section";
import { AppLink } from "~/ui/layout/link";
import { Disclosure } from "~/ui/form/disclosure";

import { GroupLink } from "~/frame/scope/group-link";

interface InheritedProps {
  readonly review: AccessReview;
  readonly items: readonly AccessReviewItem[];
}

/** The role bindings from further up, which count in the scope and are decided where they were granted. */
export function Inherited({ review, items }: InheritedProps): ReactNode {
  const { groupName = "", inheritedIncomplete } = review;
  const rows = items.filter(({ inherited }) => inherited);
  if (rows.length === 0 && !inheritedIncomplete) return null;
  const least = inheritedIncomplete ? "At least " : "";
  const count = `${least}${formatQuantity(rows.length, "role binding", "role bindings")}`;
  return (
    <Section
      title="Inherited from above"
      count={inheritedIncomplete ? undefined : rows.length}
      description={
        rows.length === 0
          ? `Roles granted further up also count in ${groupName}. None of them that you can see is listed: who started the review can't see them.`
          : `${count} from further up also ${rows.length === 1 ? "counts" : "count"} in ${groupName}, and can only be decided where they were granted.`
      }
    >
      {rows.length === 0 ? null : (
        <Disclosure title="Who has them">
          <FactTable
            caption="Inherited role bindings"
            stacks
            head={["Identity", "Role", "Granted in"]}
            rows={rows.map(({ uid, bindingUid = "", identityName, roleName, groupUid = "" }) => [
              <AppLink key={uid} target={bindingPage(bindingUid)}>
                <bdi>{identityName}</bdi>
              </AppLink>,
              <bdi key="role">{roleName}</bdi>,
              <GroupLink key="where" uid={groupUid} />,
            ])}
          />
        </Disclosure>
      )}
    </Section>
  );
}
