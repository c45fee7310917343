import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import type { Identity } from "~/contract/iam/identities";
import { RemoveAccess } from "~/features/access/remove-access";
import type { ActsProps } from "~/features/bulk-delete/use-selectable";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

/** As many lists of role bindings are read at once; more people leave in several steps. */
const MOST = 50;

interface PeopleActsProps extends ActsProps<Identity> {
  /** Why the user cannot remove access; undefined if nothing known prevents it. */
  readonly of: string | undefined;
}

/** What can be done with selected people. */
export function PeopleActs({ records, onStarted, of: refusal }: PeopleActsProps): ReactNode {
  const [asking, setAsking] = useState(false);
  const many = records.length > MOST ? `Select at most ${MOST} people at once` : undefined;
  return (
    <>
      <DisabledReason reason={refusal ?? many}>
        <Button color="danger" variant="light" onClick={() => setAsking(true)}>
          Remove access of {formatQuantity(records.length, "person", "people")}
        </Button>
      </DisabledReason>
      {asking && records.length > 0 ? (
        <RemoveAccess
          leavers={records.map(({ uid, name = uid }) => ({ uid, name }))}
          onClose={() => setAsking(false)}
          onStarted={() => {
            setAsking(false);
            onStarted();
          }}
        />
      ) : null}
    </>
  );
}
