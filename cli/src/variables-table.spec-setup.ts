import { z } from 'zod';
import { deployableConfigs } from './deployable-configs.ts';

type Schemas = Readonly<Record<string, z.ZodType>>;
const head = '| variable | default | what |\n|---|---|---|\n';

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
