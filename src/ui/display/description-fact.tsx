import type { Definition } from "./definition-list";

/** The fact with the description of a record. */
export const descriptionFact = (description: string | undefined): Definition => ({
  term: "Description",
  value: description && <bdi>{description}</bdi>,
  wide: true,
});
