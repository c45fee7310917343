/** What is open over the page: the palette, or the sheet with the keyboard shortcuts. */
export type Opened = "palette" | "shortcuts" | undefined;

/** Key presses that wait for what answers them. */
export interface Keys {
  readonly early: KeyboardEvent[];
  act?: ((event: KeyboardEvent) => void) | undefined;
}

let open: ((next: Opened) => void) | undefined;

/** Opens it over the page, or closes what is open; the header shows it. */
export const openCommand = (next?: Opened): void => open?.(next);

export const setOpener = (opener: typeof open): void => {
  open = opener;
};
