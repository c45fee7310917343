import { readSnapshot, SnapshotProblem } from "platform-client/snapshots/format";
import { TextProblem } from "~/frame/untrusted-text/outcome";
import { serve } from "~/frame/untrusted-text/serve";

serve((text: string) => {
  try {
    return readSnapshot(text);
  } catch (error) {
    throw error instanceof SnapshotProblem ? new TextProblem(error.message) : error;
  }
});
