import * as z from "zod/mini";

/**
 * What the service knows of the packages in one image. An extension. Without packages, no advisory about an image says
 * anything about it, so `known` tells "none" from "unknown".
 */
export const imagePackages = z.looseObject({
  known: z.optional(z.boolean()),
  /** How many packages advisories are compared with, each architecture counted. */
  count: z.optional(z.number()),
  /** Architectures of the image of which nothing is known, as image indexes write them: `arm64`. */
  unknownArchitectures: z.optional(z.array(z.string())),
});
export type ImagePackages = z.infer<typeof imagePackages>;
