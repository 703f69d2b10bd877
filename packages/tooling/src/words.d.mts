export type Hit = { readonly line: number; readonly why: string; readonly text: string };
type Counts = Readonly<Record<string, number>>;
type Found = ReadonlyMap<string, readonly Hit[]>;
export function whyTwice(text: string): string | null;
export function hitsIn(file: string, content: string): Hit[];
export function compareWords(found: Found, counted: Counts): { lines: string[]; isFewer: boolean };
export function shrunken(found: Found, counted: Counts): Record<string, number> | null;
export function checkWords(home: string): string[];
