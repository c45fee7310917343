import { Button } from "@mantine/core";
import { XIcon } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { useController } from "react-hook-form";

import choosing from "~/domains/access/grants/choosing.module.css";
import { RoleFinder } from "~/domains/access/grants/role-finder";
import { useRoleChoice } from "~/domains/access/grants/roles";
import "~/ui/controls/button-styles";
import { IconButton } from "~/ui/controls/icon-button";
import { shorten } from "~/ui/display/shorten";
import fields from "~/ui/form/fields.module.css";
import { useFieldError, useFieldLabel } from "~/ui/form/use-field";

const LABEL = "Roles";

/** Edits the form's `roles`, a list of uids, among all roles of an organization. */
export function RolesField({ group }: { readonly group: string }): ReactNode {
  const { field } = useController({ name: "roles" });
  const chosen: readonly string[] = field.value;
  const error = useFieldError("roles");
  const { everywhere } = useRoleChoice(group);
  useFieldLabel(
    "roles",
    LABEL,
    everywhere.map(({ uid, name }) => ({ value: uid, label: name })),
  );
  const [finding, setFinding] = useState(chosen.length === 0);
  const id = useId();
  const nameOf = (uid: string) => everywhere.find((role) => role.uid === uid)?.name ?? shorten(uid);
  return (
    <div role="group" aria-labelledby={id} className={choosing["who"]}>
      <span id={id} className={fields["label"]}>
        {LABEL}
      </span>
      {chosen.length > 0 ? (
        <ul className={choosing["chosen"]} aria-label="Chosen roles">
          {chosen.map((uid) => (
            <li key={uid}>
              <span className={choosing["identity"]}>
                <bdi>{nameOf(uid)}</bdi>
              </span>
              <IconButton
                label={`Remove ${nameOf(uid)}`}
                tip="Remove"
                onClick={() => field.onChange(chosen.filter((each) => each !== uid))}
              >
                <XIcon size={16} />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      <div className={error ? fields["message"] : fields["hint"]}>
        {error ?? "Also counts for roles that can do at least as much as one of these."}
      </div>
      <div>
        <Button
          variant="default"
          aria-expanded={finding}
          aria-invalid={error ? true : undefined}
          onClick={() => setFinding((now) => !now)}
        >
          {finding ? "Hide roles" : "Add a role"}
        </Button>
      </div>
      {finding ? (
        <RoleFinder
          group={group}
          granting={false}
          onPick={(uid) => {
            if (!chosen.includes(uid)) field.onChange([...chosen, uid]);
            setFinding(false);
          }}
        />
      ) : null}
    </div>
  );
}
