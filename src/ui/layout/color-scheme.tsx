import { useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { MonitorIcon, MoonIcon, SunIcon } from "lucide-react";
import { useId } from "react";

import classes from "./color-scheme.module.css";

const CHOICES: readonly { value: MantineColorScheme; label: string; icon: typeof SunIcon }[] = [
  { value: "light", label: "Light", icon: SunIcon },
  { value: "dark", label: "Dark", icon: MoonIcon },
  { value: "auto", label: "System", icon: MonitorIcon },
];

/** Light, dark, or the system's scheme; stored in this browser. */
export function ColorSchemeSwitch() {
  // Disabling transitions would need a style element, which the policy blocks.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const name = useId();
  return (
    <fieldset className={classes["switch"]}>
      <legend className="pc-visually-hidden">Color scheme</legend>
      {CHOICES.map(({ value, label, icon: Icon }) => (
        <label key={value} className={classes["choice"]}>
          <input
            type="radio"
            className="pc-visually-hidden"
            name={name}
            value={value}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Icon size={16} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
