import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { default: Ajv } = createRequire(import.meta.url)('ajv/dist/2020.js') as {
  default: new (options: object) => { compile(schema: unknown): (file: unknown) => boolean };
};
const schema = readFileSync(join(import.meta.dirname, 'compose-spec.schema.json'), 'utf8');

/** Returns whether a parsed file is one of the Compose Specification. */
export const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(JSON.parse(schema));
