import { describe, expect, test } from '@jest/globals';
import type { EventEnvelope } from '@parley/protocol';
import type { KafkaMessage } from 'kafkajs';
import { newId } from '../../../base/ids/index.ts';
import { readRecord, textOfRecord, toRecord } from './records.ts';

const id = newId('event');
const orgId = newId('organisation');
const event: EventEnvelope = {
  specversion: '1.0',
  id,
  source: 'org',
  type: 'org.updated.v1',
  time: '2026-01-02T03:04:05.678Z',
  subject: orgId,
  tenantid: orgId,
  sequence: 12,
  actor: 'job:test',
  onbehalfof: null,
  correlationid: id,
  causationid: null,
  traceparent: null,
  data: { orgId, text: 'ä–😀' },
};

/** Returns the record as a consumer gets it: everything is bytes. */
function travelled(
  sent: EventEnvelope,
  change: (headers: Record<string, Buffer>) => void = () => undefined,
): KafkaMessage {
  const { key, value, headers = {} } = toRecord(sent);
  const bytes = Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [name, Buffer.from(String(header))]),
  );
  change(bytes);
  return {
    key: Buffer.from(String(key)),
    value: value === null ? null : Buffer.from(String(value)),
    headers: bytes,
    timestamp: '0',
    attributes: 0,
    offset: '0',
  };
}

describe('records', () => {
  test('an event comes back unchanged from a record, keyed by its subject', () => {
    expect(toRecord(event).key).toBe(orgId);
    expect(readRecord(travelled(event))).toEqual({ event });
    const again: EventEnvelope = { ...event, snapshot: true };
    expect(readRecord(travelled(again))).toEqual({ event: again });
  });

  test('attributes become CloudEvents headers in binary mode, and missing ones no header', () => {
    const { headers, value } = toRecord(event);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: id,
      ce_type: 'org.updated.v1',
      ce_tenantid: orgId,
      ce_sequence: '12',
    });
    expect(Object.keys(headers ?? {})).not.toContain('ce_causationid');
    expect(JSON.parse(String(value))).toEqual(event.data);
  });

  test('ignores headers that are no CloudEvents attributes', () => {
    expect(
      readRecord(
        travelled(event, (headers) => {
          headers['ce_dataschema'] = Buffer.from('x');
          headers['b3'] = Buffer.from('y');
        }),
      ),
    ).toEqual({ event });
  });

  test.each<[string, (headers: Record<string, Buffer>) => void, string]>([
    [
      'no id',
      (headers) => {
        delete headers['ce_id'];
      },
      'id',
    ],
    [
      'a sequence that is no number',
      (headers) => {
        headers['ce_sequence'] = Buffer.from('-1');
      },
      'sequence',
    ],
    [
      'no headers at all',
      (headers) => {
        for (const name of Object.keys(headers)) delete headers[name];
      },
      'specversion',
    ],
  ])('%s is malformed, and the cause says why', (_case, change, cause) => {
    expect(readRecord(travelled(event, change))).toEqual({ cause: expect.stringContaining(cause) });
  });

  test('a record whose value is missing or no JSON is malformed', () => {
    expect(readRecord({ ...travelled(event), value: Buffer.from('{') })).toEqual({
      cause: expect.stringContaining('data'),
    });
    expect(readRecord({ ...travelled(event), value: null })).toEqual({ cause: expect.stringContaining('data') });
  });

  test('the text of a record has its key, headers and value', () => {
    const text = textOfRecord(travelled(event));
    expect(JSON.parse(text)).toMatchObject({ key: orgId, headers: { ce_id: id }, value: JSON.stringify(event.data) });
  });
});
