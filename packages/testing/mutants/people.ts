import type { Mutant } from './mutant.ts';

const people = 'services/monitoring/src/people';
const spec = 'monitoring/src/people/people.spec';
const names = 'monitoring/src/people/names.spec';

/** Pseudonyms, and the names behind them. */
export const peopleMutants: readonly Mutant[] = [
  {
    breaks: 'four people stand apart',
    file: `${people}/people-list.ts`,
    find: 'own.length >= fewestShown',
    put: 'own.length >= fewestShown - 1',
    spec: 'monitoring/src/people/people-list.spec',
  },
  {
    breaks: 'too few of one month stand apart because others of another month are enough',
    file: `${people}/people-list.ts`,
    find: 'months.flatMap(([, own]) => (isEnough(own) ? own : []))',
    put: 'isEnough(people) ? people : []',
    spec: 'monitoring/src/people/people-list.spec',
  },
  {
    breaks: 'so many as are too few are told',
    file: `${people}/people-list.ts`,
    find: 'isEnough(own) ? own.length : null',
    put: 'own.length',
    spec: 'monitoring/src/people/people-list.spec',
  },
  {
    breaks: 'a panel opens on somebody who does not stand apart',
    file: `${people}/people.service.ts`,
    find: "if (!person) throw new Problem('monitoring.person-not-found');",
    put: '',
    spec,
  },
  {
    breaks: 'somebody has one pseudonym for good',
    file: `${people}/pseudonym.ts`,
    find: '`${orgId}/${userId}/${month}`',
    put: '`${orgId}/${userId}`',
    spec: 'monitoring/src/people/pseudonym.spec',
  },
  {
    breaks: 'pseudonyms need no key',
    file: `${people}/pseudonym.ts`,
    find: "createHmac('sha256', Buffer.from(key, 'base64'))",
    put: "createHmac('sha256', '')",
    spec: 'monitoring/src/people/pseudonym.spec',
  },
  {
    breaks: 'two pseudonyms look alike',
    file: `${people}/pseudonym.ts`,
    find: 'if (own.length === 1) labels.set',
    put: 'labels.set',
    spec: 'monitoring/src/people/pseudonym.spec',
  },
  {
    breaks: 'what was used lies on days of UTC',
    file: `${people}/count-people.ts`,
    find: 'await this.zones.of(orgId)',
    put: "'UTC'",
    spec,
  },
  {
    breaks: 'what is forgotten comes back when it is told again',
    file: `${people}/count-people.ts`,
    find: 'if (at.getTime() >= oldest)',
    put: 'if (at)',
    spec,
  },
  {
    breaks: 'every model of a day is counted apart, however many there are',
    file: `${people}/count-people.ts`,
    find: 'mostModelsOfDay - known.size',
    put: 'Infinity',
    spec,
  },
  {
    breaks: 'a name that one person asked for is shown to everybody with the right',
    file: `${people}/shown-names.ts`,
    find: '.find({ by: userId })',
    put: '.find({})',
    spec: names,
  },
  {
    breaks: 'a name is shown after its end',
    file: `${people}/shown-names.ts`,
    find: 'until > now',
    put: 'true',
    spec: names,
  },
  {
    breaks: 'whoever has lost the right sees the names of before',
    file: `${people}/shown-names.ts`,
    find: "'usage:read_person')) return",
    put: "'usage:read_org')) return",
    spec: names,
  },
  {
    breaks: 'everybody ends the reveals of everybody',
    file: `${people}/names.service.ts`,
    find: '{ _id: params.revealId, by: principal.userId }',
    put: '{ _id: params.revealId }',
    spec: names,
  },
  {
    breaks: 'a name that was hidden is still shown',
    file: `${people}/names.service.ts`,
    find: 'await this.shown.hide(scope, tx, params.revealId);',
    put: '',
    spec: names,
  },
  {
    breaks: 'nobody is told that a name was shown',
    file: `${people}/names.service.ts`,
    find: 'tx.record(nameRevealed, { ...told, organisation: organisation.name });',
    put: '',
    spec: names,
  },
  {
    breaks: 'a reveal that is repeated is told again',
    file: `${people}/names.service.ts`,
    find: 'if (!isNew) return toShownName(shown);',
    put: '',
    spec: names,
  },
  {
    breaks: 'somebody reads who has seen the names of others',
    file: `${people}/names.service.ts`,
    find: 'const where = { userId: principal.userId };',
    put: 'const where = {};',
    spec: names,
  },
  {
    breaks: 'an entry of the ledger is told to nobody',
    file: 'services/billing/src/ledger/ledger.service.ts',
    find: 'tx.record(ledgerEntryAdded, entryTold(entry), { sequence: 1 });',
    put: '',
    spec: 'billing/src/ledger/ledger.spec',
  },
  {
    breaks: 'what is held of a person’s budget is not used',
    file: 'services/billing/src/budgets/budgets.service.ts',
    find: 'spent + heldOf(budget, sheet?.holds ?? [])',
    put: 'spent',
    spec: 'billing/src/budgets/reservations.spec',
  },
];
