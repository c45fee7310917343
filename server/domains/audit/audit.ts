import { parseOrder, rootOf } from "platform-contract/aip";
import { getAuditAccess } from "platform-contract/audit/access";
import { AUDIT_ACCESS, getAuditEntry, listAuditEntries } from "platform-contract/audit/entries";
import { getAuditHeads } from "platform-contract/audit/heads";

import { visibleGroups } from "../../platform/access/caller";
import { invalidArgument, notFound } from "../../status";
import { auditEntries, auditTable } from "../../platform/store/audit";
import { accessAt } from "../../platform/store/audit-access";
import { auditHeads, signHeads, toHead } from "../../platform/store/audit-heads";
import { listPage } from "../../platform/store/lists/lists";
import { readItem } from "../../platform/store/table";
import { queryOf, type Handler } from "../../platform/standard/call";
import type { Context } from "../../platform/standard/rules";

const SORTABLE = ["created_at", "uid"];

/** The audit log, for those who can list the role bindings of its groups. Nobody has an operation that changes it. */
export function auditHandlers({ config, database, tokens }: Context): Map<string, Handler> {
  const list: Handler = async ({ caller, query }) => {
    const { items, ...rest } = await listPage(database, auditTable(query), tokens, {
      list: listAuditEntries.id,
      caller: caller.key,
      query,
      order: parseOrder(String(query["order_by"] ?? ""), SORTABLE) ?? {
        field: "created_at",
        descending: true,
      },
      visibility: { groups: visibleGroups(caller, AUDIT_ACCESS, query) },
    });
    return { auditEntries: items, ...rest };
  };

  const get: Handler = async ({ path: { uid } }) => {
    const item = await readItem(database, auditEntries, uid);
    if (!item) throw notFound(`audit.${config.serviceDomain}/AuditEntry`, uid);
    return item;
  };

  const access: Handler = async (call) => {
    const { caller } = call;
    const { group, below, identity, time, until } = queryOf(getAuditAccess, call);
    if ((group === undefined) === (identity === undefined))
      throw invalidArgument([{ field: "group", description: "set either group or identity" }]);
    const start = new Date(time);
    const end = until === undefined ? undefined : new Date(until);
    if (end && end < start)
      throw invalidArgument([{ field: "until", description: "must not be before time" }]);
    return accessAt(database, {
      group,
      below,
      identity,
      time: start,
      until: end,
      visible: visibleGroups(caller, AUDIT_ACCESS),
    });
  };

  const heads: Handler = async ({ caller, query }) => {
    const { items, ...rest } = await listPage(database, auditHeads, tokens, {
      list: getAuditHeads.id,
      caller: caller.key,
      query,
      order: { field: "uid", descending: false },
      visibility: { groups: [...new Set(visibleGroups(caller, AUDIT_ACCESS).map(rootOf))].toSorted() },
    });
    const found = items.map(({ chain, sequence, hash }) => ({
      chain: String(chain),
      sequence: Number(sequence),
      hash: String(hash),
    }));
    const signed = await signHeads(database, config.publicUrl, found);
    return { heads: signed.map(toHead), ...rest };
  };

  return new Map([
    [getAuditAccess.id, access],
    [getAuditHeads.id, heads],
    [listAuditEntries.id, list],
    [getAuditEntry.id, get],
  ]);
}
