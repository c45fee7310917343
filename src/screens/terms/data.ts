import { terms, type TermsDocument } from "~/contract/iam/terms";
import { defineScreens } from "~/resource/define";
import { contains, exact, type SearchOf } from "~/resource/filters";

const filters = {
  name: exact("name", "Name is exactly"),
  contains: contains<TermsDocument>("Search", ({ name, label, url }) => [name, label, url]),
};
export type TermsSearch = SearchOf<typeof filters>;

export const termsScreens = defineScreens(terms, { filters, order: "name" });
