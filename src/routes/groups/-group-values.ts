import type { Group } from "~/contract/iam/groups";

/** What the form asks for. `verified` and `kind` are the operator's to set (contract 1.1). */
export interface GroupValues {
  name: string;
  description: string;
}

export const emptyGroup: GroupValues = { name: "", description: "" };

export const fromGroup = ({ name, description }: Group): GroupValues => ({
  name,
  description: description ?? "",
});

/** The request's body. Spaces around a name are slips of the hand, and make two names that look the same. */
export const toBody = ({ name, description }: GroupValues): GroupValues => ({
  name: name.trim(),
  description: description.trim(),
});
