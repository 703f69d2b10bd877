import {
  auditValues,
  changesBetween,
  idPrefixes,
  type AuditField,
  type AuditNoun,
  type AuditValue,
} from '@parley/contracts';
import type { Named } from './audit-names.ts';
import type { AuditRow } from './audit.collection.ts';

type State = Readonly<Record<string, unknown>>;
type Read = (value: never, state: State) => AuditValue | null;
const { text, texts, count, limit, code, flag, time, permissions, role } = auditValues;

const spent: Read = (amount: number | null, { unit }) => {
  if (amount === null) return limit(null);
  return unit === 'tokens'
    ? { kind: 'tokens', count: amount }
    : { kind: 'money', amount, unit: 'micro', currency: null };
};
const paid: Read = (amount: number, { currency }) => auditValues.money(amount, String(currency));

/** How versions until 0.3.0 called fields, and what they kept in them. What is not named here says nothing to people. */
const fields: Readonly<Record<string, readonly [AuditField, Read]>> = {
  name: ['name', text],
  locale: ['language', auditValues.language],
  timeZone: ['timeZone', text],
  seatLimit: ['seatLimit', limit],
  email: ['email', text],
  label: ['label', text],
  places: ['maxUses', count],
  domain: ['domain', text],
  role: ['role', role],
  replacement: ['replacement', role],
  groupIds: ['groups', auditValues.groups],
  permissions: ['permissions', permissions],
  endsAt: ['expires', time],
  until: ['expires', time],
  owner: ['owner', text],
  softLimit: ['softLimit', spent],
  hardLimit: ['hardLimit', spent],
  period: ['period', code],
  host: ['host', text],
  models: ['models', texts],
  model: ['model', auditValues.model],
  kind: ['providerKind', code],
  thinks: ['reasoning', flag],
  embeddingModel: ['embeddingModel', text],
  key: ['key', code],
  types: ['eventTypes', texts],
  isOn: ['isOn', flag],
  service: ['service', code],
  events: ['eventCount', (ids: readonly string[]) => count(ids.length)],
  version: ['version', count],
  testsToPass: ['testsToPass', (least: number | null) => (least === null ? null : count(least))],
  readers: ['readers', auditValues.audience],
  state: ['state', (state) => (state === null ? null : code(state))],
  seats: ['seats', count],
  months: ['months', count],
  totalMinor: ['amount', paid],
  amountMinor: ['amount', paid],
};
/** How somebody joined, or of what kind a connection is. */
const sourceOf = (act: AuditRow['act']): AuditField => (act === 'member.joined' ? 'joinedBy' : 'source');

const nouns: Readonly<Partial<Record<string, AuditNoun>>> = {
  [idPrefixes.organisation]: 'organisation',
  [idPrefixes.user]: 'person',
  [idPrefixes.role]: 'role',
  [idPrefixes.group]: 'group',
  [idPrefixes.invitation]: 'invitation',
  [idPrefixes.apiKey]: 'api-key',
  [idPrefixes.provider]: 'provider',
  [idPrefixes.chatbot]: 'chatbot',
  [idPrefixes.connection]: 'connection',
  [idPrefixes.webhook]: 'webhook',
  [idPrefixes.order]: 'order',
  [idPrefixes.invoice]: 'invoice',
  [idPrefixes.feedback]: 'feedback',
  [idPrefixes.curatedAnswer]: 'curated-answer',
};

/** Reads an entry that a version until 0.3.0 has written; names that it lacks are still to be found. */
export function readEarlier({ act, target: id, targetName, before, after }: AuditRow): Named {
  const of = act === 'access.denied' ? 'route' : ((id.includes('/') ? null : nouns[id.slice(0, 3)]) ?? 'model');
  const name = targetName === id && of !== 'route' && of !== 'model' ? null : targetName || null;
  const isMember = of === 'person' ? { isMember: true as const } : {};
  return {
    target: { of, id, name, ...isMember },
    changes: changesBetween(before && stateOf(act, before), after && stateOf(act, after)),
  };
}

function stateOf(act: AuditRow['act'], state: State): Partial<Record<AuditField, AuditValue | null>> {
  const read = Object.entries(state).flatMap(([name, value]) => {
    if (name === 'source') return [[sourceOf(act), code(value as never)]];
    const [field, toValue] = fields[name] ?? [];
    return field && toValue ? [[field, toValue(value as never, state)]] : [];
  });
  return Object.fromEntries(read);
}
