import { useId, type ReactNode } from "react";

import classes from "./gallery.module.css";

interface FamilyProps {
  /** Its address: `/__parts#list`. */
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}

/** The parts of one kind of page. */
export const Family = ({ id, title, children }: FamilyProps): ReactNode => (
  <section id={id} className={classes["family"]} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`} className={classes["familyTitle"]}>
      {title}
    </h2>
    {children}
  </section>
);

interface SpecimenProps {
  /** Name of the part, and its state. */
  readonly title: string;
  /** When to use it, if its name does not say so. */
  readonly use?: string;
  readonly children: ReactNode;
}

/** One part in one state. */
export function Specimen({ title, use, children }: SpecimenProps): ReactNode {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={classes["specimen"]}>
      <p id={id} className={classes["name"]}>
        {title}
      </p>
      {use === undefined ? null : <p className={classes["use"]}>{use}</p>}
      <div className={classes["stage"]}>{children}</div>
    </div>
  );
}
