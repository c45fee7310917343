import { COMPARE_TIME, READ_TIME } from "platform-contract/endpoint";

const takes = (endpoint: object | undefined, parameter: string): boolean =>
  parameter in Object(Object(endpoint)["query"]);

/** True if a read answers as of a moment. */
export const takesMoment = (endpoint: object | undefined): boolean => takes(endpoint, READ_TIME);

/** True if a list also tells what differs at another moment. */
export const takesComparison = (list: object): boolean => takes(list, COMPARE_TIME);
