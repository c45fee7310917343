export const loadLayers = () => import("./layers");
