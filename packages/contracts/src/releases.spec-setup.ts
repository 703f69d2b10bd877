import { Ajv } from 'ajv';
import { createGeneratorSync, registerFormat, type JsonSchema } from 'json-schema-faker';
import { safeParseKnown, type RouteContract } from '@parley/protocol';
import { z } from 'zod';
import { eventDefinitions } from './events/events.ts';
import { routeEntries, type RouteName } from './http/routes.ts';
import { emailAddress } from './people.ts';
import { principal } from './principal.ts';

/** A contract between parts of Parley: its schema and sample values. */
export type WireContract = { readonly schema: JsonSchema; readonly samples: readonly unknown[] };
/** Holds the contracts of one version by name: `resolveSession body`, `membership.added.v1`, `principal`. */
export type Release = { readonly version: string; readonly contracts: Readonly<Record<string, WireContract>> };

/** Lists routes for people that a service or the BFF calls too. Their contracts count as internal ones do. */
const alsoCalled: readonly RouteName[] = [
  'getConversation',
  'getTrial',
  'listErrorTests',
  'getErrorTest',
  'getRegistration',
];
const parts = ['params', 'query', 'body', 'response'] as const;
const samplesEach = 4;

registerFormat('date-time', () => '2026-11-25T12:00:00.000Z');

/** Holds this version's schemas of principals, internal calls and events by name. */
export const wireSchemas: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['principal', principal],
  ...routeEntries.flatMap(([name, route]) => schemasOf(name, route)),
  ...eventDefinitions.map(({ type, data }) => [type, data] as const),
]);

function schemasOf(name: RouteName, route: RouteContract): [string, z.ZodType][] {
  if (route.scope !== 'internal' && !alsoCalled.includes(name)) return [];
  return parts.flatMap((part) => (route[part] ? [[`${name} ${part}`, route[part]] as [string, z.ZodType]] : []));
}

/** Returns the schema as readers of this version see it: unknown fields are allowed. */
export const jsonSchemaOf = (schema: z.ZodType): JsonSchema => {
  const { $schema: _draft, ...json } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema === emailAddress) jsonSchema.format = 'email';
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return json as JsonSchema;
};

/** Returns values that the schema accepts: the first with required fields only, the others with all. */
export function samplesOf(name: string, schema: z.ZodType): unknown[] {
  const json = jsonSchemaOf(schema);
  return Array.from({ length: samplesEach }, (_, index) => sampleOf({ name, schema, json }, index));
}

const mostSeeds = 200;

/** Tries several seeds, because JSON Schema lacks some rules and not every seed gives a valid value. */
function sampleOf(
  { name, schema, json }: { name: string; schema: z.ZodType; json: JsonSchema },
  index: number,
): unknown {
  const options = {
    optionalsProbability: index === 0 ? 0 : 1,
    additionalProperties: false,
    maxItems: 2,
    useDefaultValue: false,
  };
  for (let seed = 1; seed <= mostSeeds; seed += 1) {
    const value = createGeneratorSync({ ...options, seed: index * mostSeeds + seed }).generate(json);
    if (schema.safeParse(value).success) return value;
  }
  throw new Error(`No sample of ${name} was found: write its rule so that JSON Schema can express it.`);
}

/** Returns the contracts of this version, for `releases/<version>.json`. */
export const releaseOf = (version: string): Release => ({
  version,
  contracts: Object.fromEntries(
    [...wireSchemas]
      .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
      .map(([name, schema]) => [name, { schema: jsonSchemaOf(schema), samples: samplesOf(name, schema) }]),
  ),
});

const validator = new Ajv({ strict: false, validateFormats: false });

/**
 * Returns in words what keeps this version and the given release from running side by side. `now` has the schemas of
 * this version; `removed` names contracts that no process of that release uses any more.
 */
export function breaksBetween(
  release: Release,
  now: ReadonlyMap<string, z.ZodType>,
  removed: readonly string[] = [],
): string[] {
  return Object.entries(release.contracts).flatMap(([name, before]) => {
    const schema = now.get(name);
    if (!schema) return removed.includes(name) ? [] : [`${name} is gone`];
    const isUnread = before.samples.some((sample) => !safeParseKnown(schema, sample).success);
    const readsAsBefore = validator.compile(before.schema as object);
    const isUnreadable = !samplesOf(name, schema).every((sample) => readsAsBefore(sample));
    return [
      ...(isUnread ? [`${name}: this version can't read what ${release.version} sends`] : []),
      ...(isUnreadable ? [`${name}: ${release.version} can't read what this version sends`] : []),
    ];
  });
}
