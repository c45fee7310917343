/** What is open over the page: the palette, or the sheet of keyboard shortcuts. */
export type Opened = "palette" | "shortcuts" | undefined;

/** Key presses queued until their handler is loaded. */
export interface Keys {
  readonly early: KeyboardEvent[];
  act?: ((event: KeyboardEvent) => void) | undefined;
}

let open: ((next: Opened) => void) | undefined;

/** Opens it over the page, or closes what is open; the header renders it. */
export const openCommand = (next?: Opened): void => open?.(next);

export const setOpener = (opener: typeof open): void => {
  open = opener;
};
