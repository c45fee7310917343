import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import "~/ui/controls/button-styles";

import classes from "./gallery.module.css";
import { Specimen } from "./specimen";

/** The pages of the provider are the service's own (server/platform/oidc), with the values of the same theme. */
export const SignIn = (): ReactNode => (
  <>
    <Specimen title="Buttons" use="One filled button on a screen; red only in a dialog that deletes.">
      <div className={classes["row"]}>
        <Button>Filled</Button>
        <Button variant="default">Default</Button>
        <Button variant="subtle">Subtle</Button>
        <Button color="danger">Delete</Button>
        <Button data-disabled aria-disabled>
          Disabled
        </Button>
      </div>
    </Specimen>
    <Specimen title="The sign-in page itself">
      <p>
        <a href="/oidc/auth">It is served by the service</a>, which <code>npm run dev</code> passes requests
        on to.
      </p>
    </Specimen>
  </>
);
