import { useId, type ReactNode } from "react";

import classes from "./form-section.module.css";

interface FormSectionProps {
  title: string;
  /** What its fields are for, in a sentence. */
  description?: ReactNode;
  children: ReactNode;
}

/** Fields that belong together, under a heading. */
export function FormSection({ title, description, children }: FormSectionProps) {
  const id = useId();
  return (
    <section className={classes["section"]} aria-labelledby={id}>
      <div>
        <h2 id={id} className={classes["title"]}>
          {title}
        </h2>
        {description ? <p className={classes["description"]}>{description}</p> : null}
      </div>
      {children}
    </section>
  );
}
