/** Thrown by a form's `onSubmit` when nothing was changed: said calmly, since nothing went wrong. */
export class NothingToSave extends Error {
  readonly calm = true;

  constructor() {
    super("Nothing to save. No field has changed.");
  }
}
