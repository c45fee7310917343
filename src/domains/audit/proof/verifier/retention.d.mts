export { kind, startFold } from "./fold";
