import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { EventDefinition, EventEnvelope } from '@parley/protocol';
import { z } from 'zod';
import { samplesOf } from '../releases.spec-setup.ts';
import { auditActs, type AuditAct } from './audit-acts.ts';
import { auditChange, type AuditedAct } from './audit.ts';
import { auditedDefinitions, eventDefinitions } from './events.ts';
import { toldOutside } from './outside-event.ts';

type Json = Readonly<Record<string, unknown>>;
const sampleOf = (type: string): EventEnvelope =>
  JSON.parse(readFileSync(new URL(`../../samples/${type}.json`, import.meta.url), 'utf8')) as EventEnvelope;
const actOf = ({ audit }: EventDefinition, data: unknown): AuditedAct | null =>
  typeof audit === 'function' ? audit(data as never) : null;

/**
 * Returns samples of the event's data: with and without optional fields, and with each value of each enum in the data
 * or in `act`.
 */
function dataOf({ type, data }: EventDefinition): Json[] {
  const kept = sampleOf(type).data as Json;
  const made = samplesOf(type, data) as Json[];
  const shape = (data as z.ZodObject).shape as Record<string, z.ZodType>;
  const variants = made.flatMap((one) =>
    Object.entries(shape).flatMap(([field, schema]) =>
      schema instanceof z.ZodEnum ? schema.options.map((value) => ({ ...one, [field]: value })) : [],
    ),
  );
  const ofActs = [...made, ...variants].flatMap((one) => {
    const act = one['act'] as Json | undefined;
    const did = (shape['act'] as z.ZodOptional<z.ZodObject> | undefined)?.unwrap().shape?.['did'];
    return act && did instanceof z.ZodEnum ? did.options.map((value) => ({ ...one, act: { ...act, did: value } })) : [];
  });
  const same = made.flatMap((one) => {
    const act = one['act'] as Json | undefined;
    return act?.['before'] && act['after'] ? [{ ...one, act: { ...act, after: act['before'] } }] : [];
  });
  const fewer = made.flatMap((one) =>
    Object.keys(one).flatMap((left) => {
      const { [left]: _left, ...rest } = one;
      return data.safeParse(rest).success ? [rest] : [];
    }),
  );
  const sides = [...made, ...variants].flatMap((one) => [
    ...('before' in one ? [{ ...one, before: null }] : []),
    ...('after' in one ? [{ ...one, after: null }] : []),
  ]);
  return [kept, ...made, ...variants, ...ofActs, ...sides, ...same, ...fewer];
}

/**
 * Replaces each free text in the event's data by its field path in « », or by `word`. A text is free if the contract
 * accepts any other text there, so people may have typed it.
 */
function marked({ data: schema }: EventDefinition, data: Json, word?: string): Json {
  let now = data;
  const visit = (value: unknown, keys: readonly string[]): void => {
    if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) visit(one, [...keys, key]);
    if (typeof value !== 'string' && value !== null) return;
    const path = keys.map((key) => (/^\d+$/.test(key) ? '[]' : key)).join('.');
    const tried = withValue(now, keys, `«${word ?? path}»`) as Json;
    if (schema.safeParse(tried).success) now = tried;
  };
  visit(data, []);
  return now;
}

function withValue(value: unknown, [key, ...rest]: readonly string[], text: string): unknown {
  if (key === undefined) return text;
  if (Array.isArray(value)) return value.with(Number(key), withValue(value[Number(key)], rest, text));
  return { ...(value as Json), [key]: withValue((value as Json)[key], rest, text) };
}

/**
 * Returns the texts in the event's data that are neither codes nor ids: the contract also accepts them with a letter
 * put before them.
 */
function freeTexts({ data: schema }: EventDefinition, data: Json): string[] {
  const visit = (value: unknown, keys: readonly string[]): string[] => {
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).flatMap(([key, one]) => visit(one, [...keys, key]));
    if (typeof value !== 'string') return [];
    return schema.safeParse(withValue(data, keys, `x${value}`)).success ? [value] : [];
  };
  return visit(data, []);
}

/** Lists by event the fields whose free text gets into the audit log, so that a new one shows up in review. */
const texts: Record<string, string> = {
  'addresses.changed.v1': 'address',
  'access.denied.v1': 'name route',
  'apikey.created.v1': 'name permissions.[]',
  'apikey.revoked.v1': 'name reason',
  'budget.changed.v1': 'scope.name',
  'chatbot.changed.v1': 'name',
  'chatbot.gate-changed.v1': 'name',
  'connection.changed.v1': 'is.address is.name name was.address was.name',
  'documents.managed.v1': 'name',
  'generation.stop-requested.v1': 'model',
  'group.changed.v1': 'act.before act.name',
  'invitation.changed.v1': 'act.domain',
  'invoice.changed.v1': 'act.number',
  'mail.revealed.v1': 'reason',
  'membership.changed.v1': 'act.reason',
  'membership.removed.v1': 'was.name was.reason',
  'name.revealed.v1': 'reason',
  'order.changed.v1': 'act.reason',
  'org.suspended.v1': 'act.reason',
  'org.updated.v1':
    'act.after.locale act.after.name act.after.timeZone act.before.locale act.before.name act.before.timeZone',
  'provider.configured.v1':
    'after.embeddingModel after.host after.models.[] after.name before.embeddingModel before.host before.models.[] before.name',
  'rates.changed.v1': 'act.price.host act.price.model',
  'role.changed.v1': 'act.after.name act.after.permissions.[] act.before.name act.before.permissions.[]',
  'webhook.changed.v1': 'after.host after.types.[] before.host before.types.[]',
};

test('exactly the listed texts of events get into the audit log', () => {
  const found = auditedDefinitions.map((definition) => {
    const said = dataOf(definition).map((data) => JSON.stringify(actOf(definition, marked(definition, data))));
    const seen = said.flatMap((one) => [...one.matchAll(/«([^»]+)»/g)].map(([, path]) => path!));
    return [definition.type, [...new Set<string>(seen)].toSorted().join(' ')] as const;
  });
  expect(Object.fromEntries(found.filter(([, paths]) => paths !== ''))).toEqual(texts);
});

test('no audited text is a chat title, a file name, a prompt or a message', () => {
  const names = Object.values(texts).flatMap((paths) => paths.split(/[ .]/));
  expect(
    names.filter((name) =>
      /title|file|document|prompt|message|question|answer|passage|content|^text$|^note$/i.test(name),
    ),
  ).toEqual([]);
});

/** Returns whether the text is the model name of a key in the data: the key without its provider's id. */
const isPart = (text: string, of: Json): boolean => JSON.stringify(of).includes(`/${text}"`);

test('the audit log stores texts as the event has them, and doesn’t turn codes into words', () => {
  const others = auditedDefinitions.flatMap((definition) =>
    dataOf(definition).flatMap((data) => {
      // Replaces all texts by one word, so that an audit rule that looks up one text by another (a model's context by
      // its name) finds it.
      const said = marked(definition, data, 'word');
      const known = freeTexts(definition, said);
      return (actOf(definition, said)?.changes ?? []).flatMap(({ field, before, after }) =>
        [before, after].flatMap((value) => {
          const texts = value?.kind === 'text' ? [value.text] : value?.kind === 'texts' ? value.texts : [];
          return texts
            .filter((text) => !known.includes(text) && !isPart(text, said))
            .map((text) => `${definition.type} ${field}: ${text}`);
        }),
      );
    }),
  );
  expect([...new Set(others)]).toEqual([]);
});

test('every event has an audit rule, or a reason why it has none', () => {
  for (const { type, audit } of eventDefinitions)
    expect([type, typeof audit === 'function' || audit.length > 10]).toEqual([type, true]);
});

test('every audited act is declared by an event, with changes that the page can show', () => {
  const said = auditedDefinitions.flatMap((definition) =>
    dataOf(definition).flatMap((data) => actOf(definition, definition.data.parse(data)) ?? []),
  );
  expect([...new Set(said.map(({ act }) => act))].toSorted()).toEqual(
    (Object.keys(auditActs) as AuditAct[]).toSorted(),
  );
  for (const { changes = [] } of said) expect(z.array(auditChange).safeParse(changes).error).toBeUndefined();
});

test('audit fields leave Parley by no webhook, stream or socket', () => {
  for (const definition of auditedDefinitions) {
    // Skips `permissions`, which aren't a closed list: a newer version may have more codes.
    const left = dataOf(definition).flatMap((data) => {
      const told = toldOutside({ ...sampleOf(definition.type), data: marked(definition, data) }, 7);
      return [...JSON.stringify(told).matchAll(/«([^»]+)»/g)].map(([, path]) => path);
    });
    expect([definition.type, left.filter((path) => path !== 'permissions.[]')]).toEqual([definition.type, []]);
    expect(definition.live).not.toBe('conversation');
  }
});
