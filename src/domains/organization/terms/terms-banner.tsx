import { XIcon } from "lucide-react";
import { useState, type ReactNode } from "react";

import { ExternalLink } from "~/ui/display/external-link";
import type { TermsDocument } from "platform-contract/iam/terms";
import { IconButton } from "~/ui/controls/icon-button";
import { formatQuantity } from "~/ui/display/numbers";
import { AppLink } from "~/ui/layout/link";
import { uidToParam } from "~/frame/scope/uid-param";

import { AcceptButton } from "./accept-button";
import { useOutstandingTerms } from "./outstanding";
import classes from "./terms.module.css";

/** Shows on every screen of a group that it has terms to accept, until they are accepted or the user dismisses it. */
export function TermsBanner({ group }: { readonly group: string }): ReactNode {
  const outstanding = useOutstandingTerms(group);
  const [away, setAway] = useState<ReadonlySet<string>>(new Set());
  const shown = outstanding.filter(({ uid }) => !away.has(uid));
  if (shown.length === 0) return null;
  const dismiss = () => setAway(new Set([...away, ...shown.map(({ uid }) => uid)]));
  return <Bar key={group} group={group} documents={shown} onDismiss={dismiss} />;
}

interface BarProps {
  readonly group: string;
  readonly documents: readonly TermsDocument[];
  readonly onDismiss: () => void;
}

function Bar({ group, documents, onDismiss }: BarProps): ReactNode {
  const [first] = documents;
  const only = documents.length === 1 ? first : undefined;
  return (
    <section className={classes["bar"]} aria-label="Terms to accept">
      <p className={classes["text"]}>
        {only ? (
          <>
            Terms to accept: <ExternalLink address={only.url}>{only.label || only.name}</ExternalLink>
          </>
        ) : (
          <>
            <AppLink target={{ to: "/terms", search: { group: uidToParam(group) } }}>
              {formatQuantity(documents.length, "document", "documents")}
            </AppLink>{" "}
            to accept
          </>
        )}
      </p>
      <div className={classes["buttons"]}>
        <AcceptButton
          compact
          group={group}
          documents={documents.map(({ name, uid, label, url }) => ({
            id: name,
            uid,
            label: label || name,
            url,
          }))}
        />
        <IconButton label="Not now" tip="Not now" onClick={onDismiss}>
          <XIcon size={16} />
        </IconButton>
      </div>
    </section>
  );
}
