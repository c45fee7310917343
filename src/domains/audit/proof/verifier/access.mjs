// Who had which role at a time, from the entries of an audit log. The console and verify.mjs run this same file.
export const kind = "access";

const isWithin = (uid, group) => uid === group || uid.startsWith(`${group}/`);
const hasField = (changes, name) => changes.some(({ field }) => field === name);
function valueOf(changes, name, side) {
  const text = changes.find(({ field }) => field === name)?.[side];
  return text === undefined ? undefined : JSON.parse(text);
}
const endOf = (changes, side) => {
  const time = valueOf(changes, "expirationTime", side);
  return time && new Date(time).toISOString();
};

export function startFold({ group, below, identity, from, until = from, time }) {
  const open = new Map();
  const names = new Map();
  const held = [];
  const cut = [];
  let begins;
  // `ends`: by itself, as was said within the period; `later`: as was said after it.
  function finish({ uid, late, ends, later = ends, ...piece }, endTime, gone) {
    const parent = uid.slice(0, uid.lastIndexOf("/"));
    const isAsked = group === undefined || isWithin(group, parent) || (below && isWithin(uid, group));
    const byItself = ends && ends <= (endTime ?? until);
    if (late || !isAsked || (identity !== undefined && piece.identity !== identity)) return;
    if (byItself && ends <= (piece.startTime ?? from)) return;
    const stop = byItself ? ends : endTime;
    const [since] = stop ? [] : [gone, later].filter((one) => one && one <= time).toSorted();
    held.push({ roleBinding: uid, group: parent, ...piece, endTime: stop, endSinceTime: since });
  }
  function note(at, { record, change, changes = [] }, isImport) {
    const { uid } = record;
    const before = (name) => valueOf(changes, name, "before") ?? record[name];
    const fromBefore = { uid, identity: before("identityUid"), role: before("roleUid") };
    const old =
      open.get(uid) ??
      (change === "created"
        ? undefined
        : { ...fromBefore, ends: endOf(changes, "before"), startUnknown: from < begins.time || undefined });
    const isOther = change === "deleted" || hasField(changes, "roleUid") || hasField(changes, "identityUid");
    const ends =
      old && !hasField(changes, "expirationTime") ? (old.later ?? old.ends) : endOf(changes, "after");
    open.delete(uid);
    if (old && at > until && !isOther) return void open.set(uid, { ...old, later: ends ?? null });
    if (old && at > from) finish(old, at <= until ? at : undefined, at);
    if (change === "deleted") return undefined;
    // What was imported is older than its entry: nobody knows by how much.
    const start =
      at <= from ? {} : isImport ? { startUnknown: true } : at <= until ? { startTime: at } : { late: true };
    return void open.set(uid, { uid, identity: record.identityUid, role: record.roleUid, ends, ...start });
  }
  return {
    add({
      sequence,
      createTime: at,
      outcome,
      action,
      related = [],
      relatedCount,
      names: named = {},
      ...entry
    }) {
      const isWhole = sequence === "1" && action === "groups.create" && outcome === "OUTCOME_DONE";
      begins ??= { entry: sequence, time: at, isWhole };
      for (const [uid, name] of Object.entries(named))
        if (at <= until || !names.has(uid)) names.set(uid, name);
      if (outcome !== "OUTCOME_DONE") return;
      const all = entry.record && entry.change ? [entry, ...related] : related;
      const bindings = all.filter(({ record }) => record.kind === "roleBindings");
      if (bindings.length > 0 && relatedCount > related.length) cut.push(sequence);
      for (const one of bindings) note(at, one, action === "import");
    },
    end() {
      for (const piece of open.values()) finish(piece);
      const key = ({ roleBinding, startTime = "" }) => `${roleBinding} ${startTime}`;
      const isEarly = begins !== undefined && !begins.isWhole && from < begins.time;
      return {
        begins,
        held: held
          .toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
          .map((one) => ({
            ...one,
            ...Object.fromEntries(
              ["group", "identity", "role"].map((each) => [`${each}Name`, names.get(one[each])]),
            ),
          })),
        unknown: [
          ...(isEarly ? [`What was before ${begins.time}, when these entries begin, is unknown.`] : []),
          ...cut.map(
            (each) => `Entry ${each} changed more role bindings than it lists: the others are unknown.`,
          ),
        ],
      };
    },
  };
}
