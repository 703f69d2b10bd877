import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Every fault of the configuration at once, by variable name; values are never shown, they may be secrets. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads settings from the environment: `PARLEY_X`, or the content of the file that `PARLEY_X_FILE` names; `overrides` (flags) win. Must
 * be the first statement of a process; nothing else reads the environment.
 */
export function readConfig<Schema extends z.ZodType>(schema: Schema, overrides: Readonly<Record<string, string>> = {}): z.output<Schema> {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...process.env, ...overrides })) {
    if (value === undefined || value === '') continue;
    if (name.startsWith('PARLEY_') && name.endsWith('_FILE')) values[name.slice(0, -'_FILE'.length)] = readFileSync(value, 'utf8').trim();
    else values[name] ??= value;
  }
  const result = schema.safeParse(values);
  if (result.success) return result.data;
  throw new ConfigError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
}
