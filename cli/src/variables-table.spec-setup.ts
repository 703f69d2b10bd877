import { embeddedConfig } from '@parley/embedded';
import { Command } from 'commander';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { deployableConfigs } from './deployable-configs.ts';
import { registerStart } from './start.ts';

type Schemas = Readonly<Record<string, z.ZodType>>;
const head = '| variable | default | what |\n|---|---|---|\n';
const page = join(import.meta.dirname, '../../docs/reference/settings.md');
/** The marks around each table that is written. */
const tables = { flags: flagsTable, variables: variablesTable } as const;
type Table = keyof typeof tables;
const marked = (name: Table): RegExp => new RegExp(`(<!-- ${name} -->\\n\\n)([^]*?)(\\n<!-- end of ${name} -->)`);

/** Returns each table as the page has it, and as the code says. */
export const settingsTables = (): { readonly kept: string | undefined; readonly made: string }[] =>
  (Object.keys(tables) as Table[]).map((name) => ({
    kept: marked(name).exec(readFileSync(page, 'utf8'))?.[2],
    made: tables[name](),
  }));

/** Writes the tables into the page. */
export function writeSettings(): void {
  let text = readFileSync(page, 'utf8');
  for (const name of Object.keys(tables) as Table[])
    text = text.replace(marked(name), (_all, before: string, _old, after: string) => before + tables[name]() + after);
  writeFileSync(page, text);
}

/** Every flag of `parley start`, with its variable. */
export function flagsTable(): string {
  const program = new Command();
  registerStart(program);
  const shapes: Schemas = embeddedConfig.shape;
  const lines = program.commands[0]!.options.map(({ long }) => {
    const variable = `PARLEY_${long!.slice(2).replaceAll('-', '_').toUpperCase()}`;
    const [name, ...rest] = rowOf(variable, shapes[variable]!).split(' | ');
    return [name, `\`${long!}\``, ...rest].join(' | ');
  });
  return `| variable | flag | default | what |\n|---|---|---|---|\n${lines.join('\n')}\n`;
}

/**
 * Every variable of every deployable as `docs/reference/settings.md` lists it: first what all read, then what each reads
 * besides.
 */
export function variablesTable(): string {
  const configs = Object.entries(deployableConfigs).map(([name, config]) => [name, config.shape as Schemas] as const);
  const isShared = (variable: string): boolean => configs.every(([, shape]) => variable in shape);
  const shared = Object.keys(configs[0]![1]).filter(isShared);
  const own = new Map<string, string[]>();
  for (const [name, shape] of configs)
    for (const variable of Object.keys(shape))
      if (!isShared(variable)) own.set(variable, [...(own.get(variable) ?? []), name]);
  const allShapes: Schemas = Object.assign({}, ...configs.map(([, shape]) => shape)) as Schemas;
  const groups = Map.groupBy([...own], ([, readers]) => readers.join(', '));
  const parts = [...groups].map(
    ([readers, variables]) =>
      `Read by ${readers}:\n\n${head}${rows(
        allShapes,
        variables.map(([variable]) => variable),
      )}`,
  );
  return [`Read by all:\n\n${head}${rows(allShapes, shared)}`, ...parts].join('\n');
}

const rows = (shapes: Schemas, variables: readonly string[]): string =>
  variables.map((variable) => `${rowOf(variable, shapes[variable]!)}\n`).join('');

function rowOf(variable: string, schema: z.ZodType): string {
  const description =
    schema.description ?? (schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType).description : undefined);
  if (description === undefined) throw new Error(`${variable} does not say what it is for: .describe(…).`);
  return `| \`${variable}\` | ${defaultOf(schema)} | ${description} |`;
}

function defaultOf(schema: z.ZodType): string {
  // As people write it, not what it is read as.
  if (schema instanceof z.ZodPrefault) return `\`${String(schema.def.defaultValue)}\``;
  const unset = schema.safeParse(undefined);
  if (!unset.success) return 'required';
  // A list is written with commas; without entries it is none.
  const shown = Array.isArray(unset.data) ? unset.data.join(', ') : JSON.stringify(unset.data)?.replaceAll('"', '');
  return shown ? `\`${shown}\`` : 'none';
}
