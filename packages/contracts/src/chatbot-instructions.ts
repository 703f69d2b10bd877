// Without zod, so that the editor in the browser reads instructions by these very rules.

/** What instructions may name; anything else in double braces is refused where they are saved. */
export const instructionVariables = ['org.name', 'person.name', 'person.locale', 'today'] as const;
export type InstructionVariable = (typeof instructionVariables)[number];
export type InstructionValues = Readonly<Record<InstructionVariable, string>>;

/** `{{person.name}}`; blanks inside the braces do not count. */
const named = /\{\{\s*([^{}]*?)\s*\}\}/g;
const isVariable = (name: string): name is InstructionVariable =>
  (instructionVariables as readonly string[]).includes(name);

/** What stands in double braces and is no variable, each once. */
export const unknownVariables = (instructions: string): string[] => [
  ...new Set([...instructions.matchAll(named)].map(([, name]) => name ?? '').filter((name) => !isVariable(name))),
];

/** The instructions as the model reads them. A value is put in as it is and not read again. */
export const withValues = (instructions: string, values: InstructionValues): string =>
  instructions.replaceAll(named, (whole, name: string) => (isVariable(name) ? values[name] : whole));
