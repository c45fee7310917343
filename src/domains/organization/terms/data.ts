import { terms, type TermsDocument } from "platform-contract/iam/terms";
import { defineScreens } from "~/frame/define";
import { contains, exact, searched, type SearchOf } from "~/frame/list/filters";

const filters = {
  name: searched(exact("name", "Name")),
  contains: searched(
    contains<TermsDocument>("Name, label or URL", ({ name, label, url }) => [name, label, url]),
  ),
};
export type TermsSearch = SearchOf<typeof filters>;

export const termsScreens = defineScreens(terms, {
  drawers: { form: async () => (await import("./form")).TermsForm },
  filters,
  deletion: {
    consequence:
      "No one has to accept this document anymore. An accepted document can only be deleted with its group.",
  },
});
