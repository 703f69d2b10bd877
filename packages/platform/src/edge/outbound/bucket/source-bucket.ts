import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { Transform, type Readable } from 'node:stream';
import type { OutboundClient } from '../outbound.ts';

export type BucketOptions = {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};
export type BucketObject = {
  readonly key: string;
  readonly etag: string | null;
  readonly bytes: number;
  readonly lastModified: Date | null;
};

const answersWithinMs = 30_000;
/** Limits the bytes of a list: a thousand of the longest keys fit, so a longer response is no list. */
const longestList = 5_000_000;
/** The fields of the S3 client's request that `OutboundClient` needs to send it. */
type WireRequest = {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Reads a bucket whose address a person typed, through `OutboundClient`, which checks the address when it connects. */
export class SourceBucket {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor({ endpoint, region, bucket, ...credentials }: BucketOptions, outbound: OutboundClient) {
    this.bucket = bucket;
    this.client = new S3Client({
      endpoint,
      region,
      credentials,
      forcePathStyle: true,
      maxAttempts: 2,
      requestHandler: guardedHandler(outbound) as never,
    });
  }

  /** Returns a page of at most a thousand objects in the order of their keys; `next` is null at the end. */
  async list(prefix: string, after: string | null): Promise<{ objects: BucketObject[]; next: string | null }> {
    const wish = { Bucket: this.bucket, Prefix: prefix, ...(after !== null && { ContinuationToken: after }) };
    const answer = await this.client.send(new ListObjectsV2Command(wish));
    const objects = (answer.Contents ?? []).flatMap(({ Key: key, ETag, Size, LastModified }) =>
      key === undefined ? [] : [{ key, etag: ETag ?? null, bytes: Size ?? 0, lastModified: LastModified ?? null }],
    );
    return { objects, next: (answer.IsTruncated && answer.NextContinuationToken) || null };
  }

  /** Returns an object's content. The stream must be read to its end or destroyed. */
  async get(key: string): Promise<Readable> {
    return (await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }))).Body as Readable;
  }

  close(): void {
    this.client.destroy();
  }
}

function guardedHandler(outbound: OutboundClient) {
  return {
    async handle(wire: WireRequest) {
      if (wire.method !== 'GET') throw new Error('A source is only read.');
      const { statusCode, headers, body } = await outbound.request(addressOf(wire), {
        method: 'GET',
        headers: { ...wire.headers },
        signal: AbortSignal.timeout(answersWithinMs),
      });
      const isList = wire.query?.['list-type'] !== undefined || statusCode >= 300;
      return { response: { statusCode, headers: flat(headers), body: isList ? body.pipe(atMost(longestList)) : body } };
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({}),
    destroy() {},
  };
}

function addressOf({ protocol, hostname, port, path, query = {} }: WireRequest): string {
  const url = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`;
  const parts = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((each) => `${escaped(name)}=${escaped(each === null || each === undefined ? '' : String(each))}`),
  );
  return parts.length === 0 ? url : `${url}?${parts.join('&')}`;
}

/** Escapes a key in the same way as for its signature. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.codePointAt(0)!.toString(16).toUpperCase()}`);

const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));

function atMost(bytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen > bytes) done(new Error('The list is longer than a list can be.'));
      else done(null, chunk);
    },
  });
}
