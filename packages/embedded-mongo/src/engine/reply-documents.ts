import { StoreError } from '../errors.ts';
import { fieldsOf, isTruthy, types, type Value } from '../bson/value.ts';
import { encodeDocument, doubleOf, type Encodable } from '../bson/write.ts';
import type { Reply } from './context.ts';
import type { Failure } from './fail-points.ts';

const okay = doubleOf(1);

export function encodeReply(reply: Reply): Buffer {
  return encodeDocument({ ...reply, ok: okay }, 1024);
}

export function errorReply(error: unknown, labels: readonly string[] = []): Buffer {
  const known =
    error instanceof StoreError
      ? error
      : new StoreError('InternalError', error instanceof Error ? error.message : String(error));
  known.labels = [...new Set([...known.labels, ...labels])];
  const reply: Record<string, Encodable> = {
    ok: doubleOf(0),
    errmsg: known.message,
    code: known.code,
    codeName: known.codeName,
    ...known.extra,
  };
  if (known.labels.length > 0) reply.errorLabels = known.labels;
  return encodeDocument(reply);
}

export function withWriteConcernError(reply: Buffer, failure: Failure): Buffer {
  const fields = fieldsOf({ type: types.object, bytes: reply, start: 0, end: reply.length });
  const isOkay = isTruthy(fields.find(([name]) => name === 'ok')?.[1] as Value | undefined);
  const extra: Record<string, Encodable> = failure.writeConcernError
    ? { writeConcernError: failure.writeConcernError }
    : {};
  if (failure.labels && failure.labels.length > 0 && isOkay) extra.errorLabels = failure.labels;
  return encodeDocument({ ...Object.fromEntries(fields), ...extra });
}
