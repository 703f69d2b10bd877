export function faultsOfRecord(name: string, text: string): string[];
export function faultsOfIndex(index: string, names: readonly string[]): string[];
export function checkAdrs(home: string): string[];
