import type { ReadmeRequest } from "./format-readme";
import { parseReadme } from "./readme-parse";

addEventListener("message", ({ data: { content, prefix } }: MessageEvent<ReadmeRequest>) => {
  postMessage(parseReadme(content, prefix));
});
// The patience for a document begins when this code is there.
postMessage("ready");
