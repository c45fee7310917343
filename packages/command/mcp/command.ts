import type { Command } from "../cli/command";
import { words } from "../cli/options";

/** What the other file has; it is loaded by this command alone. */
interface Loaded {
  serve(
    options: { readonly server: string | undefined; readonly plans: string | undefined },
    signal: AbortSignal,
  ): Promise<number>;
}

export const mcp: Command = {
  words: "",
  what: "serves the API to a language model (Model Context Protocol, on standard input and output)",
  more: `For a program such as an editor or an assistant, which starts it: {"command": "platform", "args": ["mcp"]}.
It only reads, with what you may see, and needs a sign-in that only reads: platform login --read-only. It does not start with
another token. Its tools list and read every kind, explain access, and make plans, which you carry out with platform apply or in
the console. Texts that people wrote are marked in its answers. What it reads goes to the program that started it.`,
  options: () => ({
    plans: {
      type: "string",
      value: "DIR",
      what: "the directory to write proposed plans to; by default plans, beside the sign-in",
    },
  }),
  async run(given, signal) {
    words(given, []);
    const file = new URL("./platform-mcp.mjs", import.meta.url).href;
    const { serve } = (await import(/* @vite-ignore */ file)) as Loaded;
    return serve({ server: given.text("server"), plans: given.text("plans") }, signal);
  },
};
