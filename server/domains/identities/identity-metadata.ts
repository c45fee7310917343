import { identityMetadata, METADATA, updateIdentityMetadata } from "platform-contract/iam/identity-metadata";

import { Failure, invalidArgument } from "../../status";
import { lockMetadata, storeCompany, storeMetadata } from "./identity-metadata.table";
import { ensurePerson } from "../access/people.table";
import { isPersonHere } from "../access/people-here";
import type { Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { applyMask, readMask } from "../../platform/standard/masks";
import type { Context } from "../../platform/standard/rules";
import { isFields, withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

/** Masks work as for a resource with these fields. */
const FIELDS = { settable: METADATA, answer: identityMetadata, oneofs: [] };

/** Changes what a person says about themselves. Only people who sign in here have such fields. */
export const identityMetadataHandler =
  (context: Context): Handler =>
  (call) => {
    const { caller } = call;
    if (!isPersonHere(context, caller) || caller.pending)
      throw new Failure("NOT_FOUND", "Not found: only people have metadata");
    return write(context.database, call, async (queries) => {
      const { issuer, subject } = caller;
      const uid = await ensurePerson(queries, issuer, subject);
      const { name, company, fields } = await lockMetadata(queries, uid);
      const before = withoutUnset({ ...fields, company });
      const given = isFields(call.body["identityMetadata"]) ? call.body["identityMetadata"] : {};
      const { updateMask } = call.body;
      const mask = readMask(FIELDS, given, updateMask);
      const found = mask.violations.map(({ field, description }) => ({
        field: field === "updateMask" ? field : `identityMetadata.${field}`,
        description,
      }));
      validate(updateIdentityMetadata.body!, withoutUnset(call.body), found);
      if (found.length > 0) throw invalidArgument(found);
      const after = withoutUnset(applyMask(FIELDS, before, given, mask));
      const { company: nextCompany = "", hubspotUtk: _unstored, ...rest } = after;
      await storeMetadata(queries, uid, rest);
      // Shown with the identity, whose own time does not move.
      if (nextCompany !== company) await storeCompany(queries, uid, nextCompany);
      const [givenName = "", ...family] = name.split(" ");
      const { hubspotUtk: _ephemeral, ...kept } = after;
      return withoutUnset({ uid, name, givenName, familyName: family.join(" "), ...kept });
    });
  };
