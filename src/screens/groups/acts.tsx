import { Button } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { isWithin } from "~/contract/aip";
import type { Group } from "~/contract/iam/groups";
import type { ActsProps } from "~/features/bulk-delete/use-selectable";
import "~/ui/controls/button-styles";
import { DisabledReason } from "~/ui/overlay/disabled-reason";

import { TeardownPlan } from "./teardown/teardown";

/** Every list of each is read for the plan; more groups are deleted in several steps. */
const MOST = 20;

/** Deletes the selected groups with all that is in them, by one plan. */
export function GroupActs({ records, onStarted }: ActsProps<Group> & { readonly of: undefined }): ReactNode {
  const [planning, setPlanning] = useState(false);
  // The plan of a group has all that is within it.
  const outermost = records.filter(
    ({ uid }) => !records.some((other) => other.uid !== uid && isWithin(uid, other.uid)),
  );
  const many = outermost.length > MOST ? `Select at most ${MOST} folders at once` : undefined;
  return (
    <>
      <DisabledReason reason={many}>
        <Button color="danger" variant="light" onClick={() => setPlanning(true)}>
          Delete with contents…
        </Button>
      </DisabledReason>
      {planning && outermost.length > 0 ? (
        <TeardownPlan
          records={outermost}
          onClose={() => setPlanning(false)}
          onStarted={() => {
            setPlanning(false);
            onStarted();
          }}
        />
      ) : null}
    </>
  );
}
