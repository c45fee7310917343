import type { ReactNode } from "react";

import type { Identity } from "~/contract/iam/identities";
import { Code } from "~/ui/display/code";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { Expiry } from "~/ui/display/expiry";
import { Document } from "~/ui/display/json-document";
import { Section } from "~/ui/display/section";

import { KEYS_EXPIRE } from "./data";
import { keysWords, matchFacts, type Fact } from "./match-facts";
import { unknownMembers } from "./unknown-members";

const definitionOf = ({ term, text, code }: Fact): Definition => ({
  term,
  value: code ? <Code value={text} what={term.toLowerCase()} /> : <bdi>{text}</bdi>,
  wide: true,
});

/** Shows what a token must contain to match this identity. */
export function MatchedBy({ identity }: { readonly identity: Identity }): ReactNode {
  const { staticKeys } = identity;
  const unknown = unknownMembers(identity).map(({ path, text }) => ({ term: path, text, code: true }));
  const facts = [...matchFacts(identity), ...unknown];
  return (
    <Section title="Sign-in rule">
      <DefinitionList items={[...facts.map(definitionOf), ...(staticKeys ? keyFacts(staticKeys) : [])]} />
    </Section>
  );
}

const keyFacts = ({ issuerKeys, expirationTime }: NonNullable<Identity["staticKeys"]>): Definition[] => [
  { term: "Keys expire", value: <Expiry value={expirationTime} soon={KEYS_EXPIRE} />, wide: true },
  {
    term: "Public keys",
    value: (
      <details>
        <summary>{keysWords(issuerKeys) ?? "Not a JWKS document"}</summary>
        <Document text={indented(issuerKeys)} what="public keys" />
      </details>
    ),
    wide: true,
  },
];

/** Pretty-prints JSON; returns other text as is. */
function indented(document: string): string {
  try {
    return JSON.stringify(JSON.parse(document), undefined, 2);
  } catch {
    return document;
  }
}
