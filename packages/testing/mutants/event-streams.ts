import type { Mutant } from './mutant.ts';

const stream = 'services/monitoring/src/event-stream';
const webhooks = 'services/monitoring/src/webhooks';
const spec = 'monitoring/src/event-stream/event-stream.spec';
const webhooksSpec = 'monitoring/src/webhooks/webhooks.spec';

/** What programs of an organisation are told, by streams and by webhooks. */
export const eventStreamMutants: readonly Mutant[] = [
  {
    breaks: 'what is told again looks as if it happened now',
    file: `${stream}/event-stream.consumer.ts`,
    find: 'events.filter(({ snapshot }) => !snapshot)',
    put: '[...events]',
    spec,
  },
  {
    breaks: 'a cursor of another organisation is taken',
    file: 'packages/contracts/src/events/outside-event.ts',
    find: 'return named === org && ',
    put: 'return ',
    spec,
  },
  {
    breaks: 'a gap in the stream is told to nobody',
    file: `${stream}/follow-events.service.ts`,
    find: "const missing = begin === place ? ''",
    put: "const missing = true ? ''",
    spec,
  },
  {
    breaks: 'a reader whose key is revoked reads on',
    file: `${stream}/follow-events.service.ts`,
    find: 'if (reader.hasEnded || revocations.isRevoked(principal)) return false;',
    put: 'if (reader.hasEnded) return false;',
    spec,
  },
  {
    breaks: 'fields that nobody has named leave Parley',
    file: 'packages/contracts/src/events/outside-event.ts',
    find: 'fields.filter((name) => own[name] !== undefined)',
    put: 'Object.keys(own)',
    spec,
  },
  {
    breaks: 'two processes tell a webhook at the same time',
    file: `${webhooks}/webhooks.repository.ts`,
    find: ", state: 'on', leasedUntil: { $lte: now } }",
    put: ", state: 'on' }",
    spec: webhooksSpec,
  },
  {
    breaks: 'a webhook is told of what somebody changes on the way',
    file: `${webhooks}/webhook-sender.ts`,
    find: '`${parts.id}.${parts.timestamp}.${parts.body}`',
    put: '`${parts.id}.${parts.timestamp}`',
    spec: webhooksSpec,
  },
  {
    breaks: 'an answer of any length is read',
    file: `${webhooks}/webhook-sender.ts`,
    find: '> mostAnswerBytes) return;',
    put: '< 0) return;',
    spec: webhooksSpec,
  },
  {
    breaks: 'whoever answers 410 is told more',
    file: `${webhooks}/webhook-worker.ts`,
    find: 'if (outcome.lastStatus === 410) await this.webhooks.noteGone(scope, tx, row._id);',
    put: ';',
    spec: webhooksSpec,
  },
];
