import type { Mutant } from './mutant.ts';

const chat = 'services/chat/src';

/** How organisations share workers. */
export const fairShareMutants: readonly Mutant[] = [
  {
    breaks: 'receivers of one share that hang take all turns of webhooks',
    file: 'services/monitoring/src/webhooks/webhook-worker.ts',
    find: 'share: this.shares.of(orgId), person',
    put: 'share: person, person',
    spec: 'monitoring/src/webhooks/fair-webhooks.spec',
  },
  {
    breaks: 'readers of a few organisations keep all others from their event streams',
    file: 'services/monitoring/src/event-stream/readers.ts',
    find: 'this.turns.begin(turn) ?? this.beginInsteadOf(turn)',
    put: 'this.turns.begin(turn)',
    spec: 'monitoring/src/event-stream/fair-readers.spec',
  },
  {
    breaks: 'a mail about an account waits behind invitations',
    file: 'services/auth/src/mails/waiting-mails.ts',
    find: 'return [...this.parts.turns.inOrder(ofAccounts, (row) => this.turnOf(row)), ...rest];',
    put: 'return [...rest, ...ofAccounts];',
    spec: 'auth/src/mails/fair-mails.spec',
  },
  {
    breaks: 'the documents of one organisation take all readers',
    file: `${chat}/documents/reading-turns.ts`,
    find: 'if (this.all.isFullFor(turn.share)) return null;\n    let endLong = takesLong ? this.long.begin(turn) : null;\n    if (takesLong && !endLong) return null;\n    const end = this.all.begin(turn);',
    put: 'if (this.all.free <= 0) return null;\n    let endLong = takesLong ? this.long.begin(turn) : null;\n    if (takesLong && !endLong) return null;\n    const end = this.all.resume(turn, 0);',
    spec: 'chat/src/documents/fair-reading.spec',
  },
  {
    breaks: 'documents that take long take all readers',
    file: `${chat}/documents/reading-turns.ts`,
    find: 'new FairTurns(1)',
    put: 'new FairTurns(100)',
    spec: 'chat/src/documents/fair-reading.spec',
  },
  {
    breaks: 'each waiting question looks at all pairs of answers',
    file: `${chat}/generations/worker-slots.ts`,
    find: 'hasFewer(mine.share, this.counts.ofShare(one))',
    put: 'hasFewer(mine.share, [...this.answers].filter(({ turn: { share } }) => share === one.share).length)',
    spec: 'chat/src/generations/worker-slots.spec',
  },
  {
    breaks: 'a sync of a slow site keeps its slot for hours',
    file: `${chat}/syncing/sync-turns.ts`,
    find: 'run.giveTurn();',
    put: '',
    spec: 'chat/src/syncing/fair-syncs.spec',
  },
  {
    breaks: 'the many of one person hide who else waits',
    file: 'packages/platform/src/fair-turns/fair-queue.ts',
    find: 'oldest.length < limit ? [] : await this.walk.read(mostPersons, next)',
    put: '[] as Row[]',
    spec: 'platform/src/fair-turns/fair-turns.spec',
  },
  {
    breaks: 'a worker takes more than it has slots for',
    file: `packages/platform/src/fair-turns/fair-turns.ts`,
    find: 'return this.free <= 0 ||',
    put: 'return this.free < 0 ||',
    spec: 'platform/src/fair-turns/fair-turns.spec',
  },
  {
    breaks: 'one organisation takes all slots',
    file: `packages/platform/src/fair-turns/fair-turns.ts`,
    find: 'Math.min(mostOfOne, Math.max(1, Math.floor(all / 2)))',
    put: 'mostOfOne',
    spec: 'platform/src/fair-turns/fair-turns.spec',
  },
  {
    breaks: 'the organisations that one person created have a turn each',
    file: `${chat}/generations/waiting-answers.ts`,
    find: 'share: this.parts.shares.of(orgId)',
    put: 'share: orgId',
    spec: 'chat/src/generations/fair-answers.spec',
  },
  {
    breaks: 'silent answers keep their slots while others wait',
    file: `${chat}/generations/worker-slots.ts`,
    find: 'null) ?? this.beginInsteadOfSilent(turn)',
    put: 'null)',
    spec: 'chat/src/generations/worker-slots.spec',
  },
  {
    breaks: 'a few shares take all slots of answers',
    file: `${chat}/generations/worker-slots.ts`,
    find: '!this.isNearlyFull || this.turns.countOf(share) < several',
    put: 'true',
    spec: 'chat/src/generations/worker-slots.spec',
  },
  {
    breaks: 'organisations that one person creates at once are more than may be',
    file: 'services/org/src/rights/founders.ts',
    find: 'await guards.update({ _id: userId }, { $inc: { changes: 1 } });',
    put: '',
    spec: 'org/src/rights/founders.spec',
  },
];
