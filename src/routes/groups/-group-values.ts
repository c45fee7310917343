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

/** Of a body only what a field mask names; a field that was emptied stays, and is cleared by it (contract 0.8). */
export const masked = (body: GroupValues, mask: readonly string[]): Partial<GroupValues> =>
  Object.fromEntries(Object.entries(body).filter(([field]) => mask.includes(field)));
