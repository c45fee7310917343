/** What each concept is, in two to four sentences and in the terms of docs/glossary.md; in the order of the page that shows all. */
export const TOPICS: Readonly<Record<string, readonly string[]>> = {
  groups: [
    "An organization holds everything: its people, machines, roles and images. Folders divide it, and can be nested.",
    "A role granted in an organization or folder also counts in every folder below it, so folders are where access is divided. Organizations and folders are both groups in the API.",
  ],
  scope: [
    "The scope is the organization or folder that lists are limited to.",
    "It stays the same on every screen and in every link until you choose another one.",
  ],
  subfolders: [
    "With subfolders included, a list shows the records of the scope and of every folder below it.",
    "With this group only, it shows what is directly in the scope.",
  ],
  identities: [
    "An identity is a person or a machine that can sign in. This list has the machines: CI jobs, clusters and services.",
    "A machine signs in with a token of its own. The type determines who signs that token, and the sign-in rule what it must contain. An identity without a role can do nothing.",
  ],
  people: [
    "People sign in here or at an identity provider of their organization. They appear once they have a role.",
    "Remove access takes away every role of a person that you can see. Their account stays, and can be given a role again.",
  ],
  roles: [
    "A role is a named set of capabilities. Built-in roles are the same everywhere; custom roles belong to an organization or folder.",
    "A role has no effect by itself: a role binding grants it to one identity, in one place and everything below it.",
  ],
  "role bindings": [
    "A role binding grants one role to one identity in one organization or folder; it counts there and below.",
    "It can end at a time you set. Removing it takes effect at once; a token that a registry has already been shown stays valid until it ends.",
  ],
  invites: [
    "An invite is a link that lets somebody join with a role. Anyone with the link can use it until it expires; with an email address, only the account of that address.",
    "The code in the link is shown only once. A lost link can't be shown again: revoke the invite and create another.",
  ],
  "identity providers": [
    "An identity provider lets people sign in with the accounts of their company, by OpenID Connect.",
    "Its default role is given to everybody at their first sign-in. Group mappings give roles to the members of its groups.",
  ],
  "guard rails": [
    "A guard rail is a rule that an organization or folder sets for itself, such as: grants of owner must end within 30 days. It counts there and below.",
    "It is checked whenever access is given, also by invites, group mappings and directories. It refuses the change or marks it in the audit log. Access that exists stays, and removing access is never refused.",
  ],
  "account associations": [
    "An account association names the external accounts (AWS, Google Cloud, Azure, GitHub) that platform services use for an organization or folder.",
    "There is at most one for each organization or folder.",
  ],
  repos: [
    "A repo holds the images of one name, each under its tags. It belongs to an organization or folder, whose roles count for it.",
    "It is filled by a push, or by a sync from a repo of another organization.",
  ],
  "synced repos": [
    "A synced repo mirrors a source repo in another organization.",
    "Its tags, tier, and readme come from there, so they can't be changed here.",
  ],
  tags: [
    "A tag is a name for an image in a repo, such as 1.29. It can move to another image; a digest never does.",
    "A deprecated tag is past end of life and gets no more fixes. Dated tags, build tags and signatures are listed only when you ask for them.",
  ],
  libraries: [
    "A library is a Python or Java package that can be installed from the registry.",
    "A remediated version has fixes that its authors have only in later versions, or not at all.",
  ],
  advisories: [
    "An advisory is what is known about one vulnerability in one package. Its newest approved event says where it stands: affected, being fixed, fixed or not affected.",
    "Without an advisory, nothing is known: that is not the same as not affected.",
  ],
  terms: [
    "A document of terms is in force in its organization or folder and everything below.",
    "An acceptance counts where it was made and below, and records who accepted and when.",
  ],
  "event subscriptions": [
    "An event subscription sends a signed request to a URL when something changes in its organization or folder, or below.",
    "A delivery that fails is tried again. Its page lists each attempt with the answer, and can send one again.",
  ],
  "audit log": [
    "The audit log has every change, every refused change and every sign-in, with who, what, where and when. Reading is not recorded.",
    "Each entry has the hash of the one before it, so that a changed or missing one can be found.",
  ],
};
