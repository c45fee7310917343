import { frameParts } from "~/frame/parts";
import { errorFacts } from "~/ui/feedback/error-facts";

/** What a form says of a refused write in a group, with what it needs first. */
export const refusalFacts = (error: unknown, group: string) => ({
  ...errorFacts(error),
  ...frameParts().refusalHelp?.(error, group),
});
