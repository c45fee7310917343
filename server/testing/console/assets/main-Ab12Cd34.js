export const plain = "as it was written";
