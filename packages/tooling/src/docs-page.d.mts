export type Block = { readonly info: string; readonly text: string };
export function slugOf(heading: string): string;
export function readPage(text: string): { anchors: Set<string>; links: string[]; blocks: Block[] };
