import { parentOf, snakeCase } from "platform-contract/aip";
import type { ListAnswer, ListQuery } from "platform-contract/resource";

import { ApiError } from "./errors";

const ROOT_FILTER = "uidp.in_root";

/** Whether a service refuses the filter of the root level, which the specification does not have. */
export interface RootFilter {
  refused: boolean;
}

/** True if a refusal is about this parameter, in either spelling. */
const isAbout = (error: unknown, parameter: string): boolean =>
  error instanceof ApiError &&
  error.code === "INVALID_ARGUMENT" &&
  (error.violations.some(({ field }) => snakeCase(field) === parameter) ||
    snakeCase(error.message).includes(parameter));

/** Keeps the rows at the root level. A count of all rows is not one of these. */
function onlyRoot<Answer>(answer: Answer): Answer {
  const { items }: ListAnswer<{ readonly uid: string }> = Object(answer);
  const kept = items.filter(({ uid }) => parentOf(uid) === "");
  return kept.length === items.length ? answer : { ...answer, items: kept, totalCount: undefined };
}

/** Sends a request; where the service refuses or ignores the filter of the root level, applies it to the rows here. */
export async function withRootFilter<Input extends { readonly query?: unknown }, Answer>(
  input: Input,
  known: RootFilter,
  send: (input: Input) => Promise<Answer>,
): Promise<Answer> {
  const { [ROOT_FILTER]: inRoot, ...query }: ListQuery = Object(input.query);
  if (inRoot !== true) return send(input);
  if (!known.refused)
    try {
      return onlyRoot(await send(input));
    } catch (error) {
      if (!isAbout(error, ROOT_FILTER)) throw error;
      known.refused = true;
    }
  return onlyRoot(await send({ ...input, query }));
}
