/** What people without access fill in, and what others see of it: one chunk. */
export { AskForm } from "./ask-form";
export { OfferList } from "./offer-list";
export { WaitingList } from "./waiting-list";
