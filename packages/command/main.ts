import { run } from "./cli/run";

// `platform list ... | head` ends before the list does. The command goes on: what it changes is not left half done, and its exit code
// stays true.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (code === "EPIPE") return;
    if (stream === process.stdout)
      process.stderr.write(`platform: The output can't be written: ${message}\n`);
    process.exit(2);
  });

const interrupted = new AbortController();
process.once("SIGINT", () => interrupted.abort(new Error("interrupted")));
process.exitCode = await run(process.argv.slice(2), interrupted.signal);
