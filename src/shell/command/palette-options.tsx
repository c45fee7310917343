import { memo, useId, type ReactNode } from "react";

import type { Entry } from "./entries";
import styles from "./palette.module.css";
import type { Section } from "./sections";

interface OptionsProps extends Section {
  readonly active: Entry | undefined;
  readonly optionId: (entry: Entry) => string;
  /** The same functions in each render. */
  readonly onPoint: (id: string) => void;
  readonly onChoose: (entry: Entry) => void;
}

/** One section of the results. */
export function Options({ heading, entries, active, optionId, onPoint, onChoose }: OptionsProps): ReactNode {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className={styles["heading"]}>
        {heading}
      </div>
      {entries.map((entry) => (
        <Option
          key={entry.id}
          entry={entry}
          id={optionId(entry)}
          active={entry === active}
          onPoint={onPoint}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}

interface OptionProps extends Pick<OptionsProps, "onPoint" | "onChoose"> {
  readonly entry: Entry;
  readonly id: string;
  readonly active: boolean;
}

/** Most options stay as they are when the active one changes, and many with a further letter. */
const Option = memo(({ entry, id, active, onPoint, onChoose }: OptionProps): ReactNode => {
  const { label, detail, icon: EntryIcon, keys, link, run } = entry;
  return (
    <div
      id={id}
      role="option"
      aria-selected={active}
      aria-disabled={link || run ? undefined : true}
      className={styles["option"]}
      onPointerMove={() => onPoint(entry.id)}
      onClick={() => onChoose(entry)}
    >
      <span className={styles["glyph"]}>
        <EntryIcon size={14} />
      </span>
      <span className={styles["label"]}>
        <bdi>{label}</bdi>
      </span>
      {detail ? (
        <span className={styles["detail"]}>
          <bdi>{detail}</bdi>
        </span>
      ) : null}
      {keys ? <kbd>{keys}</kbd> : null}
    </div>
  );
});
