// Which tags a run of a retention rule deleted, from the entries of an audit log. The console and verify.mjs run this same file.
export const kind = "retention";

const CAUSE = /^Retention rule of [^]*, version (\d+)$/;

export function startFold({ place, version, from, until }) {
  const deleted = [];
  let begins;
  return {
    add({
      sequence,
      createTime: time,
      outcome,
      action,
      record,
      changes = [],
      subjects = [],
      justification = "",
    }) {
      begins ??= { entry: sequence, time };
      if (outcome !== "OUTCOME_DONE" || action !== "service.deleted" || record?.kind !== "tags") return;
      if (!subjects.includes(place) || CAUSE.exec(justification)?.[1] !== String(version)) return;
      if (time < from || time > until) return;
      const digest = changes.find(({ field }) => field === "digest")?.before;
      deleted.push({
        entry: sequence,
        time,
        tag: record.uid,
        name: record.name,
        digest: digest && JSON.parse(digest),
      });
    },
    end: () => ({
      begins,
      deleted,
      unknown:
        begins !== undefined && from < begins.time
          ? [`What was before ${begins.time}, when these entries begin, is unknown.`]
          : [],
    }),
  };
}
