import type { OrgId, UserId } from '@parley/protocol';
import { z } from 'zod';
import type { Audience } from '../audience.ts';
import type { AuditEntryId } from '../ids.ts';
import type { RoleKey } from '../roles.ts';
import type { AuditAct } from './audit-acts.ts';

/** Lists the kinds of targets that an act can have. */
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
 * Refers to a person or thing in the organisation by id, with its name at the time of the act; null: unknown name.
 * Publishers leave the name out, and org fills it in. `person`: the publisher knows that they are or were in the
 * organisation. `member`: somebody typed the id, so org looks the name up among members only.
 */
const auditRef = z.object({
  of: z.enum(['person', 'member', 'role', 'group', 'invitation']),
  id: z.string(),
  name: z.string().nullable(),
});
export type AuditRef = z.infer<typeof auditRef>;

/** Lists the codes that the audit page has words for. */
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

/** Holds a value of a changed field. `kind` decides how the audit page shows it. */
export const auditValue = z.discriminatedUnion('kind', [
  /**
   * Money: `amount` is in micro-units (millionths) or minor units (cents) of the currency, which is null in entries of
   * earlier versions.
   */
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
  /** A name, an email address or a host; never what people wrote to each other or to a model. */
  z.object({ kind: z.literal('text'), text: z.string() }),
  z.object({ kind: z.literal('texts'), texts: z.array(z.string()) }),
  /** Models of a provider; null: unknown context or image support. Entries of earlier versions hold models as texts. */
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
/** Describes a model of a provider: its context in tokens, and whether it accepts images. */
export type AuditModel = Extract<AuditValue, { kind: 'models' }>['models'][number];

/** Lists the fields that an audit entry can show as changed. The audit page has a label for each. */
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
  // Fields of limits are named after their quota, except `groupCount` and `roleCount`.
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
 * Holds a field before and after an act. A side is missing if the thing didn't exist then (a created thing has no
 * `before`); null is an empty value.
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
  /**
   * Null if org fills the name in (organisation, person, role, group, invitation), or the kind of target says enough.
   */
  readonly name: string | null;
  /** The person by whose name the target is shown, such as the author of a rating. */
  readonly namedAfter?: UserId;
  /** True if somebody typed the target's id: org then looks the name up among members only. */
  readonly isMember?: true;
};

/**
 * Describes an act as the event declares it. Person, time and organisation come from the envelope unless given here.
 */
export type AuditedAct = {
  readonly act: AuditAct;
  readonly by?: UserId;
  readonly target: AuditTarget;
  readonly changes?: readonly AuditChange[];
  readonly reason?: string | null;
  /**
   * Counts an act that people repeat. Acts of one person on one target within ten minutes of the first share an entry
   * with their sum.
   */
  readonly tally?: number;
  /**
   * For refused requests, which are counted before the event: the entry's id, time and count, and the person's name.
   */
  readonly entry?: { readonly id: AuditEntryId; readonly at: string; readonly count: number; readonly byName: string };
  /**
   * For an event without an organisation: the organisation of the entry, or all that have this person as an active
   * member.
   */
  readonly in?: { readonly orgId: OrgId } | { readonly memberOf: UserId };
};

/**
 * Returns the audit entry for an event; null if the event isn't an act of a person. Entries can hold names of people,
 * roles, groups, chatbots, budgets, connections, providers, models, organisations, API keys and invitations (email
 * address, label, domain); hosts of webhooks and providers; addresses of sources; numbers of invoices and routes; and
 * the reason given for an act on others. They never hold chat titles, file names, prompts, message text, or notes on
 * content.
 */
export type AuditRule<Data> = { of(data: Data): AuditedAct | null }['of'];

type Fields = Partial<Record<AuditField, AuditValue | null>>;

/** Returns the fields that differ between two states; if one state is null, all fields of the other. */
export function changesBetween(before: Fields | null, after: Fields | null): AuditChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])] as AuditField[];
  return names.flatMap((field) => {
    const [was, is] = [before?.[field] ?? null, after?.[field] ?? null];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    return [{ field, ...(before && { before: was }), ...(after && { after: is }) }];
  });
}

/** Builds values of each kind, for audit rules. */
export const auditValues = {
  /** Returns null for an empty or missing text. */
  text: (text: string | null | undefined): AuditValue | null => (text ? { kind: 'text', text } : null),
  texts: (texts: readonly string[]): AuditValue => ({ kind: 'texts', texts: [...texts] }),
  models: (models: readonly AuditModel[]): AuditValue => ({ kind: 'models', models: [...models] }),
  count: (count: number): AuditValue => ({ kind: 'count', count }),
  /** Null: no limit. */
  limit: (count: number | null): AuditValue => (count === null ? { kind: 'unlimited' } : { kind: 'count', count }),
  bytes: (count: number): AuditValue => ({ kind: 'bytes', count }),
  /** Of micro-units. */
  price: (amount: number, currency: string): AuditValue => ({ kind: 'money', amount, unit: 'micro', currency }),
  /** Of minor units. */
  money: (amount: number, currency: string): AuditValue => ({ kind: 'money', amount, unit: 'minor', currency }),
  code: (code: AuditCode): AuditValue => ({ kind: 'code', code }),
  /** Returns the code `builtin`, or as text the model's name without the id of its provider. */
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
