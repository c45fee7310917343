import { useId, type ReactNode } from "react";

import type { Entry } from "./entries";
import styles from "./palette.module.css";
import type { Section } from "./sections";

interface OptionsProps extends Section {
  readonly active: Entry | undefined;
  readonly optionId: (entry: Entry) => string;
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
      {entries.map((entry) => {
        const { label, detail, icon: EntryIcon, keys, link, run } = entry;
        return (
          <div
            key={entry.id}
            id={optionId(entry)}
            role="option"
            aria-selected={entry === active}
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
      })}
    </div>
  );
}
