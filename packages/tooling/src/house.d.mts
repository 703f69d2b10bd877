import type { ICruiseResult } from 'dependency-cruiser';

type Module = { readonly source: string; readonly dependencies: readonly { readonly resolved: string }[] };
export declare const codeFolders: readonly string[];
export function areaOf(file: string): string | null;
export function countRooms(
  modules: readonly Module[],
  folder: string,
): { readonly rooms: number; readonly floors: number; readonly arrows: number; readonly inCircles: number };
export function pageOf(modules: readonly Module[]): string;
export function refreshPage(modules: readonly Module[], root?: string): boolean;
export function cruiseAll(): Promise<ICruiseResult>;
export function commentLines(text: string): number;
export function percentile(sorted: readonly number[], percent: number): number;
