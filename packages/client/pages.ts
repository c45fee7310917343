import type { ListAnswer } from "platform-contract/resource";

/** The pages of a list one after the other, by the token of the one before. `ask` gets undefined for the first. */
export async function* pagesOf<Page extends ListAnswer<unknown>>(
  ask: (token: string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  let token: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- each page needs the token of the one before
    const page = await ask(token);
    yield page;
    token = page.nextPageToken;
  } while (token);
}
