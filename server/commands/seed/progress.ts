import type { WriteStream } from "node:tty";

export interface SeedProgress {
  /** Reports `done` of `of` items named `what`. */
  step(what: string, done: number, of: number): void;
  /** Prints a line. */
  say(text: string): void;
}

const WIDTH = 30;

/** A bar that grows in place on a terminal; otherwise a line at each tenth. */
export function progressOn(stream: Pick<WriteStream, "isTTY" | "write">): SeedProgress {
  const tenths = new Map<string, number>();
  let open = false;
  const close = () => {
    if (open) stream.write("\n");
    open = false;
  };
  return {
    step(what, done, of) {
      const share = of === 0 ? 1 : done / of;
      const figures = `${done.toLocaleString("en")} of ${of.toLocaleString("en")} ${what}`;
      if (stream.isTTY) {
        const bar = "#".repeat(Math.round(share * WIDTH)).padEnd(WIDTH, ".");
        stream.write(`\r[${bar}] ${figures}`);
        open = true;
        if (done >= of) close();
        return;
      }
      const tenth = Math.floor(share * 10);
      if (tenths.get(what) === tenth) return;
      tenths.set(what, tenth);
      stream.write(`${figures}\n`);
    },
    say(text) {
      close();
      stream.write(`${text}\n`);
    },
  };
}
