import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { updatedFact } from "~/frame/record/history";
import { DefinitionList } from "~/ui/display/definition-list";
import { ExternalLink } from "~/ui/display/external-link";
import { Time } from "~/ui/display/time";
import { GroupLink } from "~/frame/scope/group-link";
import { RecordScreen } from "~/frame/record/record-screen";

import { Acceptances } from "./acceptances";
import { termsScreens } from "./data";

/** Shows one document: a link to its text, and who accepted it. */
export function TermsPage(): ReactNode {
  return (
    <RecordScreen of={termsScreens}>
      {(record) => (
        <>
          <DefinitionList
            items={[
              { term: "Title", value: <bdi>{record.label}</bdi>, wide: true },
              {
                term: "Link",
                value: <ExternalLink address={record.url} />,
                wide: true,
              },
              { term: "Folder", value: <GroupLink uid={parentOf(record.uid)} /> },
              { term: "Created", value: <Time value={record.createTime} /> },
              updatedFact("terms", record),
            ]}
          />
          <Acceptances of={record} />
        </>
      )}
    </RecordScreen>
  );
}
