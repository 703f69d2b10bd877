import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** Names all invalid settings at once. Values are never shown, because they can be secrets. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Reads settings from the environment: `PARLEY_X`, or the content of the file that `PARLEY_X_FILE` names; `overrides`
 * (flags) win. Call it first in a process. No other code reads the environment.
 */
export function readConfig<Schema extends z.ZodType>(
  schema: Schema,
  overrides: Readonly<Record<string, string>> = {},
): z.output<Schema> {
  const { values, faults } = readVariables({ ...process.env, ...overrides });
  const result = schema.safeParse(values);
  // Skips the error about a missing variable if its file is unreadable, so that one error isn't named twice.
  const named = new Set(faults.map(({ name }) => name));
  if (!result.success)
    faults.push(
      ...result.error.issues
        .map(({ path, message }) => ({
          name: path.join('.'),
          message: message.endsWith('received undefined') ? 'is missing' : message,
        }))
        .filter(({ name }) => !named.has(name)),
    );
  if (result.success && faults.length === 0) return result.data;
  throw new ConfigError(faults.map(({ name, message }) => `${name}: ${message}`));
}

type Fault = { readonly name: string; readonly message: string };

function readVariables(given: Readonly<Record<string, string | undefined>>): {
  values: Record<string, string>;
  faults: Fault[];
} {
  const values: Record<string, string> = {};
  const faults: Fault[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === '') continue;
    if (!name.startsWith('PARLEY_') || !name.endsWith('_FILE')) {
      values[name] ??= value;
      continue;
    }
    const variable = name.slice(0, -'_FILE'.length);
    try {
      values[variable] = readFileSync(value, 'utf8').trim();
    } catch (error) {
      faults.push({
        name: variable,
        message: `the file that ${name} names cannot be read (${(error as NodeJS.ErrnoException).code})`,
      });
    }
  }
  return { values, faults };
}
