import type { ReadmeRequest } from "./format-readme";
import { parseReadme } from "./readme-parse";

addEventListener("message", ({ data: { content, prefix } }: MessageEvent<ReadmeRequest>) => {
  postMessage(parseReadme(content, prefix));
});
// The time limit starts once this code has loaded.
postMessage("ready");
