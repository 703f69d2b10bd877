// Imports no zod, to keep zod out of the browser, whose editor uses the same rules.

/**
 * Lists the variables that instructions can use. Saving instructions with any other name in double braces is refused.
 */
export const instructionVariables = ['org.name', 'person.name', 'person.locale', 'today'] as const;
export type InstructionVariable = (typeof instructionVariables)[number];
export type InstructionValues = Readonly<Record<InstructionVariable, string>>;

/** Matches `{{person.name}}`, with or without blanks inside the braces. */
const named = /\{\{\s*([^{}]*?)\s*\}\}/g;
const isVariable = (name: string): name is InstructionVariable =>
  (instructionVariables as readonly string[]).includes(name);

/** Returns the unknown variables in the instructions, each once. */
export const unknownVariables = (instructions: string): string[] => [
  ...new Set([...instructions.matchAll(named)].map(([, name]) => name ?? '').filter((name) => !isVariable(name))),
];

/** Returns the instructions with the values filled in. Variables inside a value are not replaced. */
export const withValues = (instructions: string, values: InstructionValues): string =>
  instructions.replaceAll(named, (whole, name: string) => (isVariable(name) ? values[name] : whole));
