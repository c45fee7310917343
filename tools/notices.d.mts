export declare function notices(root: string): string;
