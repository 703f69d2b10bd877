import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Instruction = { readonly name: string; readonly value: string };
type Stage = { readonly base: string; readonly instructions: readonly Instruction[] };

/** The Dockerfile, stage by stage, as far as ours goes: no arguments, no heredocs. */
function readStages(): ReadonlyMap<string, Stage> {
  const text = readFileSync(join(import.meta.dirname, '../Dockerfile'), 'utf8').replace(/\\\n\s*/g, ' ');
  const stages = new Map<string, Stage & { instructions: Instruction[] }>();
  let stage: { base: string; instructions: Instruction[] } | undefined;
  for (const [, name = '', value = ''] of text.matchAll(/^([A-Z]+) (.+)$/gm)) {
    if (name === 'FROM') {
      const [base = '', , target = ''] = value.split(' ');
      stage = { base, instructions: [] };
      stages.set(target, stage);
    } else stage?.instructions.push({ name, value });
  }
  return stages;
}

const stages = readStages();
/** The values of one instruction in a stage and those that it is built on, oldest first. */
function valuesOf(target: string, instruction: string): string[] {
  const stage = stages.get(target);
  if (!stage) return [];
  return [
    ...valuesOf(stage.base, instruction),
    ...stage.instructions.filter(({ name }) => name === instruction).map(({ value }) => value),
  ];
}

export const targets: readonly string[] = [...stages.keys()];

/** What the code is built by. */
export const buildSteps: readonly string[] = valuesOf('build', 'RUN');

/** The variables of a container of that target. */
export function environmentOf(target: string): Record<string, string> {
  return Object.fromEntries(
    valuesOf(target, 'ENV').flatMap((pairs) => pairs.split(' ').map((pair) => pair.split('=') as [string, string])),
  );
}

/** What a container of that target starts when nobody says otherwise, and how its health is asked. */
export function commandsOf(target: string): { start: string[]; health: string[] } {
  const listed = (value: string | undefined): string[] => (value === undefined ? [] : (JSON.parse(value) as string[]));
  return {
    start: listed(valuesOf(target, 'CMD').at(-1)),
    health: listed(/CMD (\[.+\])$/.exec(valuesOf(target, 'HEALTHCHECK').at(-1) ?? '')?.[1]),
  };
}
