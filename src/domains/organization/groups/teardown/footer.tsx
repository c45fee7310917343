import { Button, TextInput } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type ReactNode } from "react";

import { isJobOpen } from "~/api/bulk/current-job";
import "~/ui/controls/button-styles";
import { formatQuantity } from "~/ui/display/numbers";
import { useWritesPaused } from "~/ui/feedback/writes-paused";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { typeable } from "~/ui/overlay/typeable";

import type { Teardown } from "./plan";
import classes from "./styles.module.css";
import { wordsOf, type Named } from "./words";

interface FooterProps {
  readonly groups: readonly Named[];
  readonly plan: Teardown | undefined;
  readonly onClose: () => void;
  readonly onStart: (plan: Teardown) => void;
}

/** The buttons of a plan, and what has to be typed first. */
export function Footer({ groups, plan, onClose, onStart }: FooterProps): ReactNode {
  const [{ name } = { name: "" }, second] = groups;
  const asked = second ? String(groups.length) : name;
  const [typed, setTyped] = useState("");
  const [hint, setHint] = useState<string>();
  const heldBack = useWritesPaused();
  const stuck = plan?.steps.some((step) => step.refused !== undefined);
  const reason = !plan
    ? "Still planning"
    : stuck
      ? "Some of these records can't be deleted"
      : isJobOpen()
        ? "Another deletion is still running"
        : heldBack?.reason;
  const run = () => {
    if (!plan || reason !== undefined) return;
    if (typeable(typed) === typeable(asked)) onStart(plan);
    else setHint(`Type ${asked} to confirm.`);
  };
  return (
    <>
      {plan && !stuck ? (
        <TextInput
          className={classes["typed"] ?? ""}
          label={
            second ? (
              `Type the number of ${wordsOf(groups).kind} to confirm: ${asked}`
            ) : (
              <>
                Type the name to confirm: <bdi>{name}</bdi>
              </>
            )
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
      ) : null}
      <p role="status" className={classes["hint"]}>
        {hint}
      </p>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <DisabledReason reason={reason}>
        <Button color="danger" onClick={run}>
          {plan ? `Delete ${formatQuantity(plan.steps.length, "record", "records")}` : "Delete"}
        </Button>
      </DisabledReason>
    </>
  );
}
