import { FORMATS } from "../output/format";
import { KINDS, nameOf } from "../records/kinds";
import { COMMON } from "./options";
import { print, type Command } from "./command";
import { UsageError } from "./errors";
import { words } from "./options";

/** What each shell needs to ask `platform complete`, with the words so far, for those that can follow. */
const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_platform() {
  local IFS=$'\\n'
  COMPREPLY=($(platform complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _platform platform`,
  zsh: `#compdef platform
_platform() {
  local -a found
  found=("\${(@f)$(platform complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a found
}
compdef _platform platform`,
  fish: `complete -c platform -f -a '(platform complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};
const SHELLS = Object.keys(SCRIPTS);

export const completion: Command = {
  words: "bash|zsh|fish",
  what: "prints what a shell needs to complete commands, kinds and options",
  more: `bash: platform completion bash > ~/.local/share/bash-completion/completions/platform
zsh:  platform completion zsh > "\${fpath[1]}/_platform"
fish: platform completion fish > ~/.config/fish/completions/platform.fish`,
  choices: SHELLS,
  options: () => ({}),
  async run(given) {
    const [shell] = words(given, ["SHELL"]);
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    if (script === undefined)
      throw new UsageError(`There are ${SHELLS.join(", ")}, not ${JSON.stringify(shell)}.`);
    print(script);
  },
};

/** The words that can follow, one of which may be begun. */
export function candidates(commands: Readonly<Record<string, Command>>, typed: readonly string[]): string[] {
  const [name = "", ...rest] = typed;
  const begun = typed.at(-1) ?? "";
  const beginning = (found: readonly string[]) => found.filter((one) => one.startsWith(begun));
  if (rest.length === 0) return beginning(Object.keys(commands));
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) return [];
  const before = rest.at(-2);
  if (before === "-o" || before === "--output") return beginning(FORMATS);
  if (begun.startsWith("-"))
    return beginning(Object.keys({ ...command.options(rest), ...COMMON }).map((option) => `--${option}`));
  if (rest.length > 1) return [];
  return beginning(command.choices ?? (command.words.startsWith("KIND") ? KINDS.map(nameOf) : []));
}
