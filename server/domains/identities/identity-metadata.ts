import { identityMetadata, METADATA, updateIdentityMetadata } from "platform-contract/iam/identity-metadata";
import type { Endpoint } from "platform-contract/endpoint";

import { Failure, invalidArgument } from "../../status";
import type { Queries } from "../../platform/store/database";
import { ensurePerson } from "../access/people.table";
import { isPersonHere } from "../access/people-here";
import type { Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { applyMask, readMask } from "../../platform/standard/masks";
import type { Context } from "../../platform/standard/rules";
import { isFields, withoutUnset, type Fields } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

/** Masks work as for a resource with these fields. */
const FIELDS = { settable: METADATA, answer: identityMetadata, oneofs: [] } as unknown as Parameters<
  typeof readMask
>[0];

interface Stored {
  readonly name: string;
  readonly company: string;
  readonly fields: Fields | null;
}

async function store(queries: Queries, identity: string, fields: Fields, company: string): Promise<void> {
  // The company is shown with the identity, whose own time does not move.
  const { company: next = "", hubspotUtk: _ephemeral, ...rest } = fields;
  await queries.query(
    `insert into identity_metadata (identity_uid, fields) values ($1, $2)
     on conflict (identity_uid) do update set fields = excluded.fields`,
    [identity, JSON.stringify(rest)],
  );
  if (next !== company)
    await queries.query("update identities set company = $2 where uid = $1", [identity, next]);
}

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
      const [row] = await queries.query<Stored & Record<string, unknown>>(
        `select i.name, i.company, m.fields from identities i
         left join identity_metadata m on m.identity_uid = i.uid where i.uid = $1 for update of i`,
        [uid],
      );
      const { name = "", company = "", fields } = row ?? {};
      const before = withoutUnset({ ...fields, company });
      const given = isFields(call.body["identityMetadata"]) ? call.body["identityMetadata"] : {};
      const { updateMask } = call.body;
      const mask = readMask(FIELDS, given, typeof updateMask === "string" ? updateMask : undefined);
      const found = mask.violations.map(({ field, description }) => ({
        field: field === "updateMask" ? field : `identityMetadata.${field}`,
        description,
      }));
      validate((updateIdentityMetadata as Endpoint).body!, withoutUnset(call.body), found);
      if (found.length > 0) throw invalidArgument(found);
      const after = withoutUnset(applyMask(FIELDS, before, given, mask));
      await store(queries, uid, after, company);
      const [givenName = "", ...family] = name.split(" ");
      const { hubspotUtk: _ephemeral, ...kept } = after;
      return withoutUnset({ uid, name, givenName, familyName: family.join(" "), ...kept });
    });
  };
