import type { ConnectionSource } from '@parley/contracts';
import { limits, mostDocuments } from '@parley/contracts';
import type { OutboundClient } from '@parley/platform/outbound';
import type { BucketObject, SourceBucket } from '@parley/platform/outbound/bucket';
import {
  isOfSource,
  isOverQuota,
  mediaTypeIn,
  type Doing,
  type SourceDocument,
  type SyncedDocuments,
} from '../documents/index.ts';
import { SourceError, toSourceError } from './source-error.ts';
import type { SyncRun } from './sync-run.ts';

export type BucketSource = Extract<ConnectionSource, { kind: 'bucket' }>;
export type BucketParts = {
  readonly documents: SyncedDocuments;
  readonly outbound: OutboundClient;
  /** Null where it was never given. */
  readonly secret: string | null;
};

/** Opens a bucket; the client for it is loaded when the first one is opened. */
export async function openBucket(
  source: BucketSource,
  { outbound, secret }: Pick<BucketParts, 'outbound' | 'secret'>,
): Promise<SourceBucket> {
  if (secret === null) throw new SourceError('refused', 'There is no secret key.');
  const { SourceBucket: Bucket } = await import('@parley/platform/outbound/bucket');
  return new Bucket({ ...source, secretAccessKey: secret }, outbound);
}

/** A page of its list, in its own words where it says none. */
export async function listed(bucket: SourceBucket, prefix: string, after: string | null) {
  try {
    return await bucket.list(prefix, after);
  } catch (error) {
    throw toBucketError(error);
  }
}

/** What of a list the reader reads; folders and empty files are none. */
export function toDocument({ key, etag, bytes, lastModified }: BucketObject): SourceDocument | null {
  const name = key.split('/').at(-1) ?? '';
  const mediaType = bytes === 0 || name === '' || key.length > 1_024 ? null : mediaTypeIn(null, name);
  if (!mediaType) return null;
  return { address: key, name, mediaType, etag, lastModified: lastModified?.toUTCString() ?? null, hash: null };
}

/** Instead of a place in the list: no storage's place begins with a blank. */
const listEnded = ' ended';

/** Reads the list and fetches what has another ETag than before. */
export async function syncBucket(run: SyncRun, source: BucketSource, parts: BucketParts): Promise<void> {
  const bucket = await openBucket(source, parts);
  try {
    let { found } = run.progress;
    for (let after = run.connection.cursor, isMore = after !== listEnded; isMore;) {
      const { objects, next } = await listed(bucket, source.prefix, after);
      const all = objects.flatMap((object) => {
        const document = toDocument(object);
        return document ? { document, bytes: object.bytes } : [];
      });
      const some = all.slice(0, mostDocuments - found);
      await takePage(run, some, { bucket, documents: parts.documents });
      found += some.length;
      const isCut = some.length < all.length || (found >= mostDocuments && next !== null);
      // Where it goes on after a worker has died: with the page that it had not finished.
      isMore = next !== null && !isCut;
      await run.advance({ found, isCut }, isMore ? next : listEnded);
      after = next;
    }
  } finally {
    bucket.close();
  }
}

type Listed = { readonly document: SourceDocument; readonly bytes: number };

async function takePage(
  run: SyncRun,
  page: readonly Listed[],
  { bucket, documents }: { readonly bucket: SourceBucket; readonly documents: SyncedDocuments },
): Promise<void> {
  const { scope, connection } = run;
  const known = await documents.known(
    scope,
    connection._id,
    page.map(({ document }) => document.address),
  );
  const isSame = ({ document: { address, etag } }: Listed): boolean => {
    const row = known.get(address);
    return etag !== null && row?.etag === etag && row.seenRun !== null;
  };
  /** Before its worker died: counted already. */
  const isSeen = ({ document: { address } }: Listed): boolean => known.get(address)?.seenRun === connection.run;
  const isFailed = ({ document: { address } }: Listed): boolean => isOfSource(known.get(address) ?? { failure: null });
  const same = page.filter((one) => isSame(one) && !isSeen(one)).map(({ document }) => document.address);
  if (same.length > 0)
    await documents.keep(scope, connection, same, (act) => run.count({ unchanged: same.length }, act));
  for (const each of page.filter((one) => !isSame(one) && !(isSeen(one) && isFailed(one)))) {
    run.signal.throwIfAborted();
    const counting: Counting = (counted) => (act) => run.count(isSeen(each) ? {} : counted, act);
    await take(run, each, { bucket, documents, counting });
  }
  run.signal.throwIfAborted();
}

type Counting = (counted: { readonly fetched: number } | { readonly failed: number }) => Doing;

async function take(
  run: SyncRun,
  { document, bytes }: Listed,
  {
    bucket,
    documents,
    counting,
  }: { readonly bucket: SourceBucket; readonly documents: SyncedDocuments; readonly counting: Counting },
): Promise<void> {
  const { scope, connection } = run;
  const failed = counting({ failed: 1 });
  if (bytes > limits.fileBytes) return documents.fail(scope, connection, document, 'too-large', failed);
  try {
    const content = await bucket.get(document.address);
    await documents.store(scope, connection, document, content, counting({ fetched: 1 }));
  } catch (error) {
    if (isOverQuota(error)) throw error;
    const { failure } = toBucketError(error);
    if (failure === 'not-allowed' || failure === 'unreachable') throw toBucketError(error);
    const outcome = failure === 'refused' ? 'source-refused' : 'source-failed';
    await documents.fail(scope, connection, document, outcome, failed);
  }
}

/** What an S3-compatible storage says by name and status. */
function toBucketError(error: unknown): SourceError {
  if (error instanceof SourceError) return error;
  const { name, $metadata } = (error ?? {}) as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  const said = name ?? null;
  if (status === 401 || status === 403) return new SourceError('refused', said, { cause: error });
  if (status === 404) return new SourceError('not-found', said, { cause: error });
  if (status !== undefined && status >= 200 && status < 500)
    return new SourceError('unreadable', said, { cause: error });
  return toSourceError(error);
}
