import type { ReactNode } from "react";

import { parentOf } from "~/contract/aip";
import type { Identity } from "~/contract/iam/identities";
import { Badge } from "~/ui/display/badge";
import { useNow } from "~/ui/clock";
import { CopyButton } from "~/ui/display/copy-button";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { Document } from "~/ui/display/json-document";
import { Section } from "~/ui/display/section";
import { Time } from "~/ui/display/time";
import { GroupLink } from "~/features/scope/group-link";

import { LastSeen } from "./columns";
import { isPerson } from "./words";
import classes from "./identities.module.css";
import { keysWords, relationshipFacts, type Fact } from "./relationship-facts";
import { unknownMembers } from "./unknown-members";
import { visible } from "./visible";

/** Text that is compared letter by letter: monospace, left to right, and with a way to copy it. */
function Code({ value, what }: { value: string; what: string }): ReactNode {
  return (
    <span className={classes["code"]}>
      <code dir="ltr">{visible(value)}</code>
      <CopyButton value={value} what={what.toLowerCase()} />
    </span>
  );
}

const definitionOf = ({ term, text, code }: Fact): Definition => ({
  term,
  value: code ? <Code value={text} what={term} /> : <bdi>{text}</bdi>,
  wide: true,
});

/** What an identity is, apart from what recognises it. */
export function IdentityFacts({ identity }: { readonly identity: Identity }): ReactNode {
  const { uid, description, email, emailUnverified, company, createTime, updateTime } = identity;
  const person = isPerson(identity);
  const place: Definition = person
    ? { term: "Email", value: emailOf(email, emailUnverified) }
    : { term: "Belongs to", value: <GroupLink uid={parentOf(uid)} /> };
  return (
    <DefinitionList
      items={[
        // Nobody describes people.
        ...(person && !description
          ? []
          : [{ term: "Description", value: description && <Prose text={description} />, wide: true }]),
        place,
        { term: "Last seen", value: <LastSeen identity={identity} /> },
        { term: "Created", value: <Time value={createTime} /> },
        { term: "Updated", value: <Time value={updateTime} /> },
        ...(company ? [{ term: "Company", value: <bdi>{company}</bdi> }] : []),
      ]}
    />
  );
}

/** What a token has to say to be taken for this identity. */
export function Recognition({ identity }: { readonly identity: Identity }): ReactNode {
  const { staticKeys } = identity;
  const unknown = unknownMembers(identity).map(({ path, text }) => ({ term: path, text, code: true }));
  const facts = [...relationshipFacts(identity), ...unknown];
  return (
    <Section title="Recognised by">
      <DefinitionList items={[...facts.map(definitionOf), ...(staticKeys ? keyFacts(staticKeys) : [])]} />
    </Section>
  );
}

const Prose = ({ text }: { text: string }): ReactNode => (
  <p className={classes["prose"]} dir="auto">
    {text}
  </p>
);

function emailOf(proven: string | undefined, claimed: string | undefined): ReactNode {
  if (proven || !claimed) return proven && <bdi>{proven}</bdi>;
  return (
    <>
      <bdi>{claimed}</bdi> <Badge>Not verified</Badge>
    </>
  );
}

const keyFacts = ({ issuerKeys, expirationTime }: NonNullable<Identity["staticKeys"]>): Definition[] => [
  { term: "Keys expire", value: <Expiry value={expirationTime} />, wide: true },
  {
    term: "Public keys",
    value: (
      <details>
        <summary>{keysWords(issuerKeys) ?? "Not a JWKS document"}</summary>
        <Document text={readable(issuerKeys)} what="public keys" />
      </details>
    ),
    wide: true,
  },
];

/** JSON with a line for each member; other text as it is. */
function readable(document: string): string {
  try {
    return JSON.stringify(JSON.parse(document), undefined, 2);
  } catch {
    return document;
  }
}

function Expiry({ value }: { value: string | undefined }): ReactNode {
  const now = useNow(30);
  const over = value !== undefined && Date.parse(value) <= now;
  return (
    <>
      <Time value={value} absent="not stated" /> {over ? <Badge tone="warning">Expired</Badge> : null}
    </>
  );
}
