import * as z from "zod/mini";

import { KINDS } from "../kinds";
import { resource, type ItemOf, type ListQuery } from "../resource";
import { NAME_BYTES, openEnum, text } from "../schema";
import { advisoryEvent, EVENT_TYPE_FILTERS, REVIEW_STATES } from "./events";
import { severity } from "./severity";

/** Maximum number of values per filter. */
const MOST = 1_000;

const several = <T extends z.ZodMiniType>(one: T, name: string) =>
  z.optional(z.array(one).check(z.maxLength(MOST, `${name} must have at most ${MOST} values`)));
const texts = (name: string) => several(text({ bytes: NAME_BYTES }), name);
const answered = () => z.optional(z.string());

/** Vulnerabilities in artifacts, with history (contract 1.13). The API reads them; `npm run ingest` writes them. */
export const advisories = resource({
  kind: KINDS.advisories,
  settable: {},
  output: {
    advisoryId: answered(),
    deleteTime: answered(),
    author: answered(),
    artifactName: answered(),
    artifactType: answered(),
    artifactArchitecture: answered(),
    componentName: answered(),
    componentLocation: answered(),
    componentType: answered(),
    aliases: z.optional(z.array(z.string())),
    events: z.optional(z.array(advisoryEvent)),
    legacyAdvisoryId: answered(),
    severities: z.optional(z.array(severity)),
    /**
     * Where it holds, if not everywhere: a release of a distribution (`Debian:12`, `Wolfi`), an image (`sha256:...`), or
     * a version of the artifact. An addition of this service to the published fields.
     */
    appliesTo: answered(),
  },
  filters: {
    advisoryIds: texts("advisoryIds"),
    legacyAdvisoryIds: texts("legacyAdvisoryIds"),
    artifactNames: texts("artifactNames"),
    artifactTypes: texts("artifactTypes"),
    artifactArchitectures: texts("artifactArchitectures"),
    componentNames: texts("componentNames"),
    componentTypes: texts("componentTypes"),
    componentLocations: texts("componentLocations"),
    aliases: texts("aliases"),
    origin: z.optional(text({ bytes: NAME_BYTES })),
    eventReviewStates: several(openEnum(REVIEW_STATES), "eventReviewStates"),
    eventAuthors: texts("eventAuthors"),
    excludeEventAuthors: texts("excludeEventAuthors"),
    eventReviewers: texts("eventReviewers"),
    eventTypes: several(openEnum(EVENT_TYPE_FILTERS), "eventTypes"),
    latestEventType: z.optional(openEnum(EVENT_TYPE_FILTERS)),
    /** Additions of this service: values of the field of that name, and withdrawn advisories too (AIP-164). */
    appliesTo: texts("appliesTo"),
    showDeleted: z.optional(z.boolean("showDeleted must be true or false")),
    query: z.optional(text({ bytes: NAME_BYTES })),
  },
  // The name of an advisory is the name of its artifact.
  sortable: ["uid", "name", "advisory_id", "component_name", "created_at", "updated_at"],
});

export type Advisory = ItemOf<typeof advisories>;
export type AdvisoryFilters = Omit<NonNullable<(typeof advisories.list)["types"]>["query"], keyof ListQuery>;
