/** What needs the CVSS calculator, which is as large as a screen: one chunk, loaded when something has a score. */
export { ratedOf } from "./cvss";
export { SeverityView } from "./severity-view";
