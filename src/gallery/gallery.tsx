import type { ReactNode } from "react";

import { ColorSchemeSwitch } from "~/ui/layout/color-scheme";

import { Errors } from "./errors";
import { Forms } from "./forms";
import classes from "./gallery.module.css";
import { Home } from "./home";
import { Lists } from "./lists";
import { Overlays } from "./overlays";
import { Questions } from "./questions";
import { Records } from "./records";
import { Reports } from "./reports";
import { SignIn } from "./sign-in";
import { SmallParts } from "./small-parts";
import { Family } from "./specimen";

const FAMILIES: readonly (readonly [id: string, title: string, Parts: () => ReactNode])[] = [
  ["list", "List", Lists],
  ["record", "Record", Records],
  ["form", "Form", Forms],
  ["home", "Home", Home],
  ["question", "Question page", Questions],
  ["report", "Report", Reports],
  ["sign-in", "Sign-in", SignIn],
  ["error", "Error and empty states", Errors],
  ["overlay", "Drawers, dialogs, menus, toasts", Overlays],
  ["small", "Small parts", SmallParts],
];

/** Every shared part in its states, by the kind of page that it belongs to. */
export const Gallery = (): ReactNode => (
  <div className={classes["gallery"]}>
    <nav aria-label="Parts" className={classes["side"]}>
      <ColorSchemeSwitch />
      <ul className={classes["index"]}>
        {FAMILIES.map(([id, title]) => (
          <li key={id}>
            <a href={`/__parts#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
    <main className={classes["families"]}>
      <h1>Parts of the console</h1>
      {FAMILIES.map(([id, title, Parts]) => (
        <Family key={id} id={id} title={title}>
          <Parts />
        </Family>
      ))}
    </main>
  </div>
);
