// What was decided in an access review, from the entries of an audit log. The console and verify.mjs run this same file.
export const kind = "review";

const valueOf = (changes, name) => {
  const text = changes.find(({ field }) => field === name)?.after;
  return text === undefined ? undefined : JSON.parse(text);
};
const ACTIONS = ["accessReviews.create", "accessReviews.close", "accessReviewItems.decide"];

export function startFold({ review }) {
  const decisions = new Map();
  const done = {};
  let begins;
  return {
    add({ sequence, createTime: time, outcome, action, actor, record, changes = [] }) {
      begins ??= { entry: sequence, time };
      if (outcome !== "OUTCOME_DONE" || !ACTIONS.includes(action)) return;
      if (valueOf(changes, "accessReview") !== review) return;
      const by = { entry: sequence, time, by: actor?.uid, byName: actor?.name };
      if (action === "accessReviews.create") done.started = by;
      if (action === "accessReviews.close") done.closed = { ...by, digest: valueOf(changes, "digest") };
      if (action !== "accessReviewItems.decide") return;
      const [decision, toRole] = [valueOf(changes, "decision"), valueOf(changes, "roleUid")];
      decisions.delete(record.uid);
      if (decision) decisions.set(record.uid, { decision, toRole, note: valueOf(changes, "note"), ...by });
    },
    end: () => ({
      begins,
      ...done,
      decisions: [...decisions]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([roleBinding, decision]) => ({ roleBinding, ...decision })),
      unknown: [
        ...(done.started
          ? []
          : ["These entries don't have the start of the review: earlier decisions are unknown."]),
        ...(done.closed ? [] : ["These entries don't have the end of the review."]),
      ],
    }),
  };
}
