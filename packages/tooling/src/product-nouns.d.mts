type Kept = { readonly file: string; readonly nouns: readonly string[]; readonly why: string };
type Rules = {
  readonly nouns: readonly string[];
  readonly technical?: Readonly<Record<string, string>>;
  readonly kept?: readonly Kept[];
};
export declare const technicalNouns: Readonly<Record<string, string>>;
export declare const keptNouns: readonly Kept[];
export function nounsOf(glossary: string): string[];
export function nounsIn(name: string, nouns: readonly string[]): string[];
export function namesOf(file: string, text: string): string[];
export function findProductNouns(files: readonly (readonly [string, string])[], rules: Rules): string[];
export function checkProductNouns(home: string): string[];
