import { expect, test } from '@jest/globals';
import { Parser } from '@asyncapi/parser';
import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import type { EventEnvelope } from '@parley/protocol';
import { asyncApi } from './asyncapi.ts';
import { eventDefinitions } from './events.ts';
import { outsideTypes, toldOutside, typesNamed } from './outside-event.ts';

type Document = { components: { messages: Record<string, { payload: object }> } };
const document = JSON.parse(JSON.stringify(asyncApi())) as Document;
const ajv = new Ajv({ strict: true, allErrors: true, formats: { 'date-time': true, date: true } });
const sampleOf = (type: string): EventEnvelope =>
  JSON.parse(readFileSync(new URL(`../../samples/${type}.json`, import.meta.url), 'utf8')) as EventEnvelope;

test('the AsyncAPI parser accepts the generated document', async () => {
  const { document: parsed, diagnostics } = await new Parser().parse(JSON.stringify(document));
  expect(diagnostics.filter(({ severity }) => severity <= 1).map(({ message, path }) => [message, path])).toEqual([]);
  expect(parsed?.allMessages().length).toBe(outsideTypes.length + 1);
});

test.each(outsideTypes)(
  '%s: the public form of the sample event matches the document and has no other field',
  (type) => {
    const sample = sampleOf(type);
    const told = toldOutside(sample, 7);
    const validate = ajv.compile(document.components.messages[type]!.payload);
    expect([validate(told), validate.errors]).toEqual([true, null]);
    expect(validate({ ...told, tenantid: 'org_1' })).toBe(false);
    expect(validate({ ...told, type: 'other.v1' })).toBe(false);
    const { outside, withheld } = eventDefinitions.find((definition) => definition.type === type)!;
    const inside: readonly string[] = withheld?.where(sample.data as never) ? withheld.fields : [];
    const own = Object.keys(sample.data as object).filter(
      (field) => outside?.includes(field) && !inside.includes(field),
    );
    expect(Object.keys(told!.data).toSorted()).toEqual(own.toSorted());
  },
);

test('hides how much of a person’s budget is spent, and shows it for other budgets', () => {
  const sample = sampleOf('budget.threshold-crossed.v1');
  const of = (scope: object) => toldOutside({ ...sample, data: { ...(sample.data as object), scope } }, 7)!.data;
  expect(of({ kind: 'person', id: 'usr_1' })).not.toHaveProperty('spent');
  expect(of({ kind: 'organisation' })).toHaveProperty('spent');
});

/**
 * Lists every event field that webhooks and streams send, so that a new one shows up in review. None holds text that
 * people typed, or the person who asked.
 */
const leaving: Record<string, string> = {
  'apikey.created.v1': 'userId apiKeyId permissions endsAt',
  'apikey.revoked.v1': 'userId apiKeyId by',
  'org.updated.v1': 'version',
  'group.changed.v1': 'groupId change',
  'import.finished.v1': 'importId source outcome chats messages branches files',
  'invitation.changed.v1': 'invitationId kind change',
  'membership.added.v1': 'userId role',
  'membership.changed.v1': 'userId role status',
  'membership.removed.v1': 'userId how',
  'org.suspended.v1': 'version',
  'org.resumed.v1': 'version',
  'org.seats-raised.v1': 'orderId before after',
  'role.changed.v1': 'roleId change',
  'generation.queued.v1': 'generationId conversationId model chatbot queuedAt',
  'generation.attempt-ended.v1':
    'generationId conversationId model chatbot attempt outcome final isRefused cause inputTokens outputTokens cachedTokens estimated queuedMs firstTokenMs durationMs queuedAt endedAt',
  'chatbot.changed.v1': 'chatbotId change version',
  'connection.changed.v1': 'connectionId change source',
  'connection.synced.v1': 'connectionId state failure',
  'feedback.changed.v1': 'feedbackId conversationId messageId change rating state chatbot',
  'answer.curated.v1': 'curatedAnswerId change',
  'document.changed.v1': 'documentId status',
  'providers.changed.v1': '',
  'budget.changed.v1': 'budgetId version change hasHardLimit',
  'budget.threshold-crossed.v1': 'budgetId threshold unit spent limit periodStart',
  'budget.raise-requested.v1': 'budgetId amount',
  'invoice.changed.v1': 'invoiceId change',
  'message.created.v1': 'conversationId messageId',
  'message.deleted.v1': 'conversationId messageId',
  'message.restored.v1': 'conversationId messageId',
  'order.changed.v1': 'orderId change',
};

test('exactly the listed fields of public events leave Parley', () => {
  const found = eventDefinitions.flatMap(({ type, outside }) => (outside ? [[type, outside.join(' ')]] : []));
  expect(Object.fromEntries(found)).toEqual(leaving);
});

test('a filter of event types matches one type, all types with the same beginning, or none', () => {
  expect(typesNamed('group.changed.v1')).toEqual(['group.changed.v1']);
  expect(typesNamed('generation.*').toSorted()).toEqual(['generation.attempt-ended.v1', 'generation.queued.v1']);
  for (const none of ['*', 'group', 'group.changed', 'session.*', '.*', '']) expect(typesNamed(none)).toEqual([]);
});
