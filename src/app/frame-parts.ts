import { AskForAccess } from "~/domains/access/access-requests/ask-for-access";
import { ChangedBy, OnADate, RecordHistory } from "~/domains/audit/log/parts";
import { termsHelp } from "~/domains/organization/terms/terms-help";
import { giveFrameParts } from "~/frame/parts";
import { onDemand } from "~/ui/on-demand";

// With the patterns of errors that registries answer.
const PastedHint = onDemand(async () => (await import("~/shell/command/pasted-hint")).PastedHint);
// Apart from the screen of retention, which would come along.
const RetentionFact = onDemand(
  async () => (await import("~/domains/registry/retention-fact/fact")).RetentionFact,
);

const MakeProof = onDemand(async () => (await import("~/domains/audit/proof/use-proof")).ProofButton);

giveFrameParts({
  AskForAccess,
  ChangedBy,
  MakeProof,
  OnADate,
  PastedHint,
  RecordHistory,
  RetentionFact,
  refusalHelp: termsHelp,
});
