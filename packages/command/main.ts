import { run } from "./cli/run";

// `platform list ... | head` ends before the list does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 5));

const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort(new Error("interrupted")));
process.exitCode = await run(process.argv.slice(2), interrupted.signal);
