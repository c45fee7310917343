import type { Database } from "../../platform/store/database";
import { readWhole, writeTogether } from "./ingest";
import { BadInput } from "./json-values";

/**
 * Reads the packages that a document names (SPDX, CycloneDX, in-toto) into an image, as the command does with a file; false
 * if it names none. Nothing else that a document can hold, such as advisories, is written: it comes from whoever pushed it.
 */
export const packageIngest =
  (database: Database) =>
  async (document: Buffer, image: string): Promise<boolean> => {
    const target = { group: undefined, digest: image };
    try {
      const reading = await readWhole(document, target);
      if (reading.packages.length === 0) return false;
      const { advisories, metadata, versions, epss, kev } = reading;
      if ([advisories, metadata, versions, epss, kev].some((others) => others.length > 0)) return false;
      await writeTogether(database, target, [reading]);
      return true;
    } catch (error) {
      if (error instanceof BadInput) return false;
      throw error;
    }
  };
