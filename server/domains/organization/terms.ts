import { parseOrder, rootOf } from "platform-contract/aip";
import { groups } from "platform-contract/iam/groups";
import {
  ACCEPTANCE_ORDERS,
  acceptTerms,
  listTermsAcceptances,
  terms,
  type TermsInput,
} from "platform-contract/iam/terms";
import { BAD_REQUEST } from "platform-contract/status";
import { storedWebAddress } from "platform-contract/web-address";

import { holds, requireAll } from "../../platform/access/caller";
import { alreadyExists, Failure, failedPrecondition } from "../../status";
import { listPage } from "../../platform/store/lists/lists";
import { nameOf } from "./groups.table";
import { acceptancesTable, isAccepted, lockInForce, notAccepted, sameName, termsTable } from "./terms.table";
import { insertRow, lockShared, readItem } from "../../platform/store/table";
import { newChildUid } from "../../platform/store/uids";
import { handlerOf, type Call, type Handler } from "../../platform/standard/call";
import { write } from "../../platform/standard/conflicts";
import { notFoundError, resourceType } from "../../platform/standard/resource-info";
import type { Change, Context, Removal, Rules } from "../../platform/standard/rules";
import { standardHandlers, toAnswer } from "../../platform/standard/standard";
import { withoutUnset } from "../../platform/standard/values";
import { validate } from "../../platform/standard/violations";

/** Fields that cannot change once the document has been accepted. */
const FIXED = ["name", "url"] as const;

async function requireFree(context: Context, { queries, caller, uid, parent, next }: Change<TermsInput>) {
  const found = await sameName(queries, parent, uid, next.name);
  if (found === undefined) return;
  const seen = terms.list.access.needs.every((capability) => holds(caller, capability, found));
  throw alreadyExists(
    { field: "name", description: "a document with this name is in force here or below" },
    seen ? { resourceType: resourceType(context, terms), resourceName: found } : undefined,
  );
}

async function beforeWrite(context: Context, change: Change<TermsInput>): Promise<void> {
  const { queries, uid, previous, next } = change;
  if (previous?.["name"] !== next.name) await requireFree(context, change);
  // One that was stored before addresses were normalized stays as it is while nobody changes it.
  const isSame = (field: (typeof FIXED)[number]): boolean =>
    previous?.[field] === next[field] ||
    (field === "url" && previous?.["url"] === storedWebAddress(next.url));
  const changed = FIXED.filter((field) => previous && !isSame(field));
  if (changed.length === 0 || !(await isAccepted(queries, uid))) return;
  const description =
    "an accepted document cannot change its name or url: create a new document for a new version";
  const { name, message, details } = failedPrecondition([
    { type: "RESOURCE_IN_USE", description, subject: uid },
  ]);
  const fieldViolations = changed.map((field) => ({ field, description }));
  throw new Failure(name, message, [...details, { "@type": BAD_REQUEST, fieldViolations }]);
}

/** The row is locked, so it cannot be accepted meanwhile. */
async function beforeDelete(_context: Context, { queries, uid }: Removal): Promise<void> {
  if (await isAccepted(queries, uid))
    throw failedPrecondition([
      { type: "RESOURCE_IN_USE", description: "cannot delete terms that were accepted", subject: uid },
    ]);
}

const rules: Rules<TermsInput> = {
  resource: terms,
  table: termsTable,
  beforeWrite,
  beforeDelete,
};

/** Returns a document, or the acceptances of a group; the capabilities at the uid have been checked. */
const getHandler =
  (context: Context): Handler =>
  async ({ caller, path: { uid }, query, only }) => {
    const { database, tokens } = context;
    const document = await readItem(database, termsTable, uid);
    if (document && only !== listTermsAcceptances.id) return toAnswer(terms, document);
    if (only === terms.get.id) throw notFoundError(context, terms, uid);
    if ((await nameOf(database, uid)) === undefined) throw notFoundError(context, terms, uid);
    const { page_size, page_token, skip } = query;
    const { items, ...rest } = await listPage(database, acceptancesTable, tokens, {
      list: listTermsAcceptances.id,
      caller: caller.key,
      query: { page_size, page_token, skip, "uidp.ancestors_of": uid },
      order: parseOrder(String(query["order_by"] ?? ""), ACCEPTANCE_ORDERS) ?? {
        field: "created_at",
        descending: false,
      },
      // Acceptances above apply to the group as well, whatever the caller can see there.
      visibility: { groups: [rootOf(uid)] },
    });
    return { termsAcceptances: items.map((item) => withoutUnset(item)), ...rest };
  };

async function accept(context: Context, call: Call): Promise<unknown> {
  const { caller, path, body } = call;
  const group = path.parent;
  requireAll(caller, acceptTerms.access.needs, group);
  return write(context.database, { ...call, operation: acceptTerms.id }, async (queries) => {
    if (!(await lockShared(queries, "groups", group))) throw notFoundError(context, groups, group);
    const given: unknown[] = Array.isArray(body["documentIds"]) ? body["documentIds"] : [];
    const known = await lockInForce(queries, group);
    const unknown = given.flatMap((name, index) =>
      typeof name !== "string" || known.has(name)
        ? []
        : [{ field: `documentIds[${index}]`, description: "no such document is in force here" }],
    );
    const { documentIds } = validate(acceptTerms.body!, body, unknown);
    const asked = [...new Set(documentIds)];
    const documents = await notAccepted(
      queries,
      group,
      asked.map((name) => known.get(name) ?? ""),
    );
    for (const document of documents)
      await insertRow(queries, acceptancesTable.name, {
        uid: newChildUid(group),
        parent: group,
        document_uid: document,
        accepted_by: caller.subject,
      });
    return { group, documentIds: asked };
  });
}

export function termsHandlers(context: Context): Map<string, Handler> {
  const handlers = standardHandlers(context, rules);
  const create = handlerOf(handlers, terms.create.id);
  return handlers.set(terms.get.id, getHandler(context)).set(terms.create.id, async (call) => {
    const accepts = call.only === undefined ? "documentIds" in call.body : call.only === acceptTerms.id;
    if (accepts) return accept(context, call);
    requireAll(call.caller, terms.create.access.needs, call.path.parent);
    return create(call);
  });
}
