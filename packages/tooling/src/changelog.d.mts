export type Fragment = { readonly file: string; readonly section: string; readonly text: string };
export function readFragments(folder: string): Fragment[];
export function released(version: string, fragments: readonly Fragment[]): string;
