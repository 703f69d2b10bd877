import { eventEnvelope, type EventEnvelope } from '@parley/protocol';
import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import type { ReadEnvelope } from '../envelope.ts';

const attributeNames = Object.keys(eventEnvelope.shape).filter((name) => name !== 'data' && name !== 'snapshot');

/**
 * Returns an event as a record: CloudEvents 1.0 in binary mode, attributes as `ce_` headers, `data` as the value, keyed
 * by subject.
 */
export function toRecord({ data, ...attributes }: EventEnvelope): Message {
  const headers: IHeaders = { 'content-type': 'application/json' };
  for (const [name, value] of Object.entries(attributes)) if (value !== null) headers[`ce_${name}`] = String(value);
  return { key: attributes.subject, value: JSON.stringify(data ?? null), headers };
}

/** Returns the event of a record, or the error in it. Never throws. Unknown headers are ignored. */
export function readRecord({ headers = {}, value }: KafkaMessage): ReadEnvelope {
  const attributes: Record<string, unknown> = {};
  for (const name of attributeNames) attributes[name] = textOf(headers[`ce_${name}`]);
  const { sequence } = attributes;
  if (typeof sequence === 'string' && /^\d+$/.test(sequence)) attributes['sequence'] = Number(sequence);
  if (textOf(headers['ce_snapshot']) === 'true') attributes['snapshot'] = true;
  try {
    const parsed = eventEnvelope.safeParse({ ...attributes, data: JSON.parse(textOf(value ?? undefined) ?? '') });
    if (parsed.success) return { event: parsed.data as EventEnvelope };
    return { cause: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') };
  } catch (error) {
    return { cause: `data: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Returns a record as text, for finding out what it was. */
export function textOfRecord({ key, headers = {}, value }: KafkaMessage): string {
  const named = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, textOf(header)]));
  return JSON.stringify({ key: textOf(key ?? undefined), headers: named, value: textOf(value ?? undefined) });
}

/** Returns the size of a record on the wire, close enough to limit a request. */
export function sizeOf({ key, headers = {}, value }: Message): number {
  let size = 70 + (key?.length ?? 0) + (value?.length ?? 0);
  for (const [name, header] of Object.entries(headers)) size += 4 + name.length + (header?.length ?? 0);
  return size;
}

function textOf(header: IHeaders[string]): string | null {
  const only = Array.isArray(header) ? header[0] : header;
  return only === undefined ? null : only.toString();
}
