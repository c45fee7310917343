import { useEffect, useState, type ReactNode } from "react";

import { useRoleChoice } from "~/domains/access/grants/roles";
import { Section } from "~/ui/display/section";
import { FailedPart } from "~/ui/feedback/failed-part";

import { LIFETIMES } from "~/domains/access/group-invites/data";
import classes from "./styles.module.css";

/** What all invites of a list have. */
export interface Terms {
  readonly roleUid?: string;
  readonly ttl: string;
  readonly singleUse: true;
}

interface InviteTermsProps {
  readonly group: string;
  readonly onChange: (terms: Terms) => void;
}

/** One role and one lifetime for all; each link is for one person. */
export function InviteTerms({ group, onChange }: InviteTermsProps): ReactNode {
  const { options, error, retry } = useRoleChoice(group);
  const [roleUid, setRole] = useState("");
  const [ttl, setTtl] = useState<string>(LIFETIMES[3].value);
  useEffect(
    () => onChange({ ...(roleUid !== "" && { roleUid }), ttl, singleUse: true }),
    [roleUid, ttl, onChange],
  );
  return (
    <Section title="All invites" description="One role and one lifetime. Each link lets one person join.">
      {error ? <FailedPart title="Some roles couldn't be loaded" error={error} onRetry={retry} /> : null}
      <div className={classes["mapping"]}>
        <label className={classes["field"]}>
          <span>Role</span>
          <select
            className={classes["select"]}
            value={roleUid}
            onChange={(event) => setRole(event.currentTarget.value)}
          >
            <option value="">Choose a role</option>
            {options.map(({ value, label, disabled }) => (
              <option key={value} value={value} disabled={disabled}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label className={classes["field"]}>
          <span>Lifetime</span>
          <select
            className={classes["select"]}
            value={ttl}
            onChange={(event) => setTtl(event.currentTarget.value)}
          >
            {LIFETIMES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
    </Section>
  );
}
