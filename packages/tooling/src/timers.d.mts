type Kept = { readonly file: string; readonly why: string };
export declare const keptTimers: readonly Kept[];
export function timersIn(text: string): string[];
export function unstarted(text: string): string[];
export function findTimers(files: readonly (readonly [string, string])[], kept?: readonly Kept[]): string[];
export function checkTimers(home: string): string[];
