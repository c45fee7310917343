export const loadListExtras = () => import("./list-extras");
