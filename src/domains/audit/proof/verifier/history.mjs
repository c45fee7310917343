// What happened to a record, from the entries of an audit log. The console and verify.mjs run this same file.
export const kind = "history";

export function startFold({ record: { uid, kind: only } }) {
  const entries = [];
  let begins;
  return {
    add(entry) {
      const { sequence, createTime: time, outcome, action, actor, record, subjects = [] } = entry;
      const isWhole = sequence === "1" && action === "groups.create" && outcome === "OUTCOME_DONE";
      begins ??= { entry: sequence, time, isWhole };
      if (record?.uid !== uid && !subjects.includes(uid)) return;
      if (only !== undefined && record?.kind !== only) return;
      const { change, changes = [], reason, justification } = entry;
      const what = { kind: record?.kind, uid: record?.uid, name: record?.name, change };
      const by = actor && { uid: actor.uid, name: actor.name };
      const fields = changes.map(({ field, before, after }) => ({ field, before, after }));
      entries.push({
        entry: sequence,
        time,
        action,
        outcome,
        by,
        record: what,
        fields,
        reason,
        justification,
      });
    },
    end: () => ({
      begins,
      entries,
      unknown:
        begins === undefined || begins.isWhole
          ? []
          : [`What was before ${begins.time}, when these entries begin, is unknown.`],
    }),
  };
}
