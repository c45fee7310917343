export const loadApp = () => import("./app");
