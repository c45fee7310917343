/** Explanations of the concepts: two sentences each, in the terms of docs/glossary.md. */
export const TOPICS = {
  scope: [
    "The scope is the organization or folder that lists are limited to.",
    "It stays the same on every screen and in every link until you choose another one.",
  ],
  subfolders: [
    "Including subfolders, a list shows the records of the scope and of every folder below it.",
    "With this group only, it shows what lies directly in the scope.",
  ],
  "identity types": [
    "An identity signs in with a token of its own: the type says who signs that token and what it must say.",
    "With your own keys you sign the tokens, with an issuer or a cloud somebody else does, and no secret is stored.",
  ],
  roles: [
    "A role is a named set of capabilities; built-in roles are the same everywhere, custom ones belong to a group.",
    "A role gives nothing by itself: a role binding gives it to one identity, in one group and everything below it.",
  ],
  "synced repos": [
    "A synced repo is kept equal to a source repo of another organization.",
    "Its tags, tier and readme come from there, so they can't be changed here.",
  ],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

export type Topic = keyof typeof TOPICS;
