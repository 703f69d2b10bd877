export function areaOf(file: string): string | null;
export function packageOf(specifier: string): string | null;
export function commentLines(text: string): number;
export function percentile(sorted: readonly number[], percent: number): number;
export function countSlices(log: string): Map<string, { readonly made: number; readonly touched: number }>;
