import {
  accountAssociations,
  PROVIDERS,
  type AccountAssociation,
} from "platform-contract/iam/account-associations";
import { defineScreens } from "~/frame/define";
import { choice, contains, exact, pinned, searched, type SearchOf } from "~/frame/list/filters";
import { keysOf } from "~/ui/keys";

/** Accounts that an association can hold: API member, value in the address, and label. */
export const MEMBERS = [
  { value: "amazon", label: "AWS" },
  { value: "google", label: "Google Cloud" },
  { value: "azure", label: "Azure" },
  { value: "github", label: "GitHub" },
  { value: "services", member: "chainguard", label: "Platform services" },
] as const satisfies readonly { value: string; member?: string; label: string }[];

type Choice = (typeof MEMBERS)[number];
export const holdsMember = (record: AccountAssociation, choice: Choice): boolean =>
  record["member" in choice ? choice.member : choice.value] !== undefined;

/** Labels of the accounts in an association. */
export const membersOf = (record: AccountAssociation): string[] =>
  MEMBERS.filter((each) => holdsMember(record, each)).map(({ label }) => label);

/** The providers that can be checked, with their API type and label. */
export const CHECKED = keysOf(PROVIDERS).map((type) => {
  const member = PROVIDERS[type];
  return { type, member, label: MEMBERS.find(({ value }) => value === member)?.label ?? member };
});

/** Uids of the identities that platform services act as, by principal. */
export const serviceBindingsOf = ({ chainguard }: AccountAssociation): [principal: string, uid: string][] =>
  Object.entries(chainguard?.serviceBindings ?? {});

/** "SERVICE_PRINCIPAL_CATALOG_SYNCER" as "catalog syncer". */
export const serviceWord = (principal: string): string =>
  principal
    .replace(/^SERVICE_PRINCIPAL_/, "")
    .toLowerCase()
    .replaceAll("_", " ");

const filters = {
  name: searched(exact("name", "Name")),
  contains: searched(
    contains<AccountAssociation>(
      "Name, description or account",
      ({ name, description, amazon, google, azure }) => [
        name,
        description,
        amazon?.account,
        google?.projectId,
        google?.projectNumber,
        azure?.tenantId,
      ],
    ),
  ),
  account: pinned(
    choice<AccountAssociation>("Account", MEMBERS, {
      matches: (value) => {
        const wanted = MEMBERS.find((each) => each.value === value);
        return (record) => wanted !== undefined && holdsMember(record, wanted);
      },
    }),
  ),
};
export type AssociationSearch = SearchOf<typeof filters>;

export const associationScreens = defineScreens(accountAssociations, {
  drawers: { form: async () => (await import("./form")).AssociationForm },
  filters,
  deletion: {
    consequence:
      "Platform services lose access to these accounts. The group, its identities and the accounts aren't affected.",
  },
});
