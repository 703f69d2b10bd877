import type { OrgId, UserId } from '@parley/protocol';
import { z } from 'zod';
import type { Audience } from '../audience.ts';
import type { AuditEntryId } from '../ids.ts';
import type { RoleKey } from '../roles.ts';
import type { AuditAct } from './audit-acts.ts';

/** What an act is done to. */
export const auditNoun = z.enum([
  'organisation',
  'person',
  'role',
  'group',
  'invitation',
  'api-key',
  'route',
  'provider',
  'model',
  'chatbot',
  'connection',
  'webhook',
  'order',
  'invoice',
  'feedback',
  'curated-answer',
  'prices',
  'address',
]);
export type AuditNoun = z.infer<typeof auditNoun>;

/**
 * Somebody or something of org's by its id, under the name that it had then; null where nobody knows it. Publishers leave
 * the name out: org fills it in. `person` is somebody of whom the publisher knows that they are or were in the
 * organisation, `member` an id that somebody gave: only a member's name is looked up for it.
 */
const auditRef = z.object({
  of: z.enum(['person', 'member', 'role', 'group', 'invitation']),
  id: z.string(),
  name: z.string().nullable(),
});
export type AuditRef = z.infer<typeof auditRef>;

/** Words that the page has for them. */
export const auditCode = z.enum([
  'day',
  'week',
  'month',
  'upload',
  'web',
  'bucket',
  'manual',
  'hourly',
  'daily',
  'weekly',
  'new',
  'in-work',
  'fixed',
  'wont-fix',
  'openai-compatible',
  'anthropic',
  'google',
  'builtin',
  'creator',
  'invitation',
  'link',
  'given',
  'changed',
  'chatgpt',
  'claude',
  'open-webui',
  'librechat',
  'parley',
  'auth',
  'org',
  'chat',
  'billing',
  'monitoring',
]);
export type AuditCode = z.infer<typeof auditCode>;

/** A value as people read it: the page writes each kind in one way. */
export const auditValue = z.discriminatedUnion('kind', [
  /** Micro-units (millionths) or minor units (cents) of the currency, which is null in entries of earlier versions. */
  z.object({
    kind: z.literal('money'),
    amount: z.number().int(),
    unit: z.enum(['micro', 'minor']),
    currency: z.string().nullable(),
  }),
  z.object({ kind: z.literal('tokens'), count: z.number().int() }),
  z.object({ kind: z.literal('count'), count: z.number().int() }),
  z.object({ kind: z.literal('bytes'), count: z.number().int() }),
  z.object({ kind: z.literal('unlimited') }),
  /** A name of something, an address, a host: never what people wrote to each other or to a model. */
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('texts'), texts: z.array(z.string()) }),
  /** Null is not known. In entries of earlier versions models are texts. */
  z.object({
    kind: z.literal('models'),
    models: z.array(
      z.object({ name: z.string(), tokens: z.number().int().nullable(), images: z.boolean().nullable() }),
    ),
  }),
  z.object({ kind: z.literal('code'), code: auditCode }),
  z.object({ kind: z.literal('flag'), isOn: z.boolean() }),
  z.object({ kind: z.literal('permissions'), permissions: z.array(z.string()) }),
  z.object({ kind: z.literal('refs'), refs: z.array(auditRef) }),
  z.object({ kind: z.literal('everybody') }),
  z.object({ kind: z.literal('language'), locale: z.string() }),
  z.object({ kind: z.literal('time'), at: z.string() }),
]);
export type AuditValue = z.infer<typeof auditValue>;
/** A model of a provider: how many tokens it reads at once, and whether it accepts images. */
export type AuditModel = Extract<AuditValue, { kind: 'models' }>['models'][number];

/** What can have changed. The page has a label for each. */
export const auditField = z.enum([
  'name',
  'language',
  'timeZone',
  'seatLimit',
  'email',
  'role',
  'groups',
  'replacement',
  'permissions',
  'label',
  'maxUses',
  'domain',
  'joinedBy',
  'expires',
  'owner',
  'softLimit',
  'hardLimit',
  'period',
  'host',
  'models',
  'model',
  'providerKind',
  'reasoning',
  'embeddingModel',
  'key',
  'eventTypes',
  'isOn',
  'service',
  'eventCount',
  'jobCount',
  'version',
  'testsToPass',
  'source',
  'readers',
  'state',
  'seats',
  'months',
  'amount',
  'chats',
  'messages',
  'files',
  'address',
  'schedule',
  'isPaused',
  'inputPrice',
  'outputPrice',
  'cachedPrice',
  'begins',
  'pricesAdded',
  'pricesEnded',
  // Limits: named after the quota, except for `groupCount` and `roleCount`.
  'storage',
  'connections',
  'chatbots',
  'curatedAnswers',
  'webhooks',
  'groupCount',
  'roleCount',
  'invitations',
  'emails',
  'budgets',
  'apiKeys',
]);
export type AuditField = z.infer<typeof auditField>;

/**
 * One field as it was and as it is since. A side that is absent was not there (what is created has no `before`); null is
 * no value.
 */
export const auditChange = z.object({
  field: auditField,
  before: auditValue.nullable().optional(),
  after: auditValue.nullable().optional(),
});
export type AuditChange = z.infer<typeof auditChange>;

export type AuditTarget = {
  readonly of: AuditNoun;
  readonly id: string;
  /** Null: org knows it (organisation, person, role, group, invitation), or it goes by what it is. */
  readonly name: string | null;
  /** It goes by this person's name. */
  readonly namedAfter?: UserId;
  /** The id is one that somebody gave: it goes by a member's name or by none. */
  readonly isMember?: true;
};

/** An act as an event declares it. Who, when and where follow from the envelope unless they are given. */
export type AuditedAct = {
  readonly act: AuditAct;
  readonly by?: UserId;
  readonly target: AuditTarget;
  readonly changes?: readonly AuditChange[];
  readonly reason?: string | null;
  /**
   * Counts an act that people repeat. All of a person's acts on one target within ten minutes of the first are one
   * entry with their sum.
   */
  readonly tally?: number;
  /** Where entries are made before the event: the entry's id, when it was done, how often, and what the person was called. */
  readonly entry?: { readonly id: AuditEntryId; readonly at: string; readonly count: number; readonly byName: string };
  /** The organisation, where the event belongs to none; or all in which this person is an active member. */
  readonly in?: { readonly orgId: OrgId } | { readonly memberOf: UserId };
};

/**
 * What the audit log says of an event; null where this one is no act of a person. It carries names of people, roles,
 * groups, chatbots, budgets, connections and providers; of models, organisations, API keys, invitations (email address,
 * label, domain), hosts of webhooks and providers, addresses of sources and of what is allowed, numbers of invoices and routes; and the reason that a person gave for
 * an act on others. Never chat titles, file names, prompts, message text, or notes on content.
 */
export type AuditRule<Data> = { of(data: Data): AuditedAct | null }['of'];

type Fields = Partial<Record<AuditField, AuditValue | null>>;

/** The fields that differ, or all of the one state where the other is null. */
export function changesBetween(before: Fields | null, after: Fields | null): AuditChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])] as AuditField[];
  return names.flatMap((field) => {
    const [was, is] = [before?.[field] ?? null, after?.[field] ?? null];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ field, ...(before && { before: was }), ...(after && { after: is }) }];
  });
}

/** Values by their kinds, for rules. */
export const auditValues = {
  /** Empty and absent is no value. */
  text: (text: string | null | undefined): AuditValue | null => (text ? { kind: 'text', text } : null),
  texts: (texts: readonly string[]): AuditValue => ({ kind: 'texts', texts: [...texts] }),
  models: (models: readonly AuditModel[]): AuditValue => ({ kind: 'models', models: [...models] }),
  count: (count: number): AuditValue => ({ kind: 'count', count }),
  /** Null is no limit. */
  limit: (count: number | null): AuditValue => (count === null ? { kind: 'unlimited' } : { kind: 'count', count }),
  bytes: (count: number): AuditValue => ({ kind: 'bytes', count }),
  /** Of micro-units. */
  price: (amount: number, currency: string): AuditValue => ({ kind: 'money', amount, unit: 'micro', currency }),
  /** Of minor units. */
  money: (amount: number, currency: string): AuditValue => ({ kind: 'money', amount, unit: 'minor', currency }),
  code: (code: AuditCode): AuditValue => ({ kind: 'code', code }),
  /** `builtin`, or the name behind the id of its provider. */
  model: (key: string): AuditValue =>
    key === 'builtin' ? { kind: 'code', code: key } : { kind: 'text', text: key.slice(key.indexOf('/') + 1) },
  flag: (isOn: boolean): AuditValue => ({ kind: 'flag', isOn }),
  time: (at: string): AuditValue => ({ kind: 'time', at }),
  language: (locale: string): AuditValue => ({ kind: 'language', locale }),
  permissions: (permissions: readonly string[]): AuditValue => ({ kind: 'permissions', permissions: [...permissions] }),
  role: (role: RoleKey): AuditValue => ({ kind: 'refs', refs: [ref('role', role)] }),
  groups: (ids: readonly string[]): AuditValue => ({ kind: 'refs', refs: ids.map((id) => ref('group', id)) }),
  person: (id: UserId): AuditValue => ({ kind: 'refs', refs: [ref('person', id)] }),
  audience: (audience: Audience): AuditValue =>
    audience.kind === 'everybody'
      ? { kind: 'everybody' }
      : {
          kind: 'refs',
          refs: [
            ...audience.roles.map((id) => ref('role', id)),
            ...audience.groupIds.map((id) => ref('group', id)),
            ...audience.userIds.map((id) => ref('member', id)),
          ],
        },
};

const ref = (of: AuditRef['of'], id: string): AuditRef => ({ of, id, name: null });
