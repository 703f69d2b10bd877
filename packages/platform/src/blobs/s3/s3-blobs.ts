import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Readable } from 'node:stream';
import { assertBlobKey, Blobs } from '../blobs.ts';
import { SizeMeter } from '../size-meter.ts';

export type S3BlobsOptions = {
  /** Of any S3-compatible storage; the bucket is addressed by path. */
  readonly endpoint: string;
  readonly region: string;
  /** Must exist. */
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** Smallest part that S3 takes; what an upload holds in memory is this times `partsAtOnce`. */
const partBytes = 5 * 1024 * 1024;
const partsAtOnce = 2;

/**
 * Blobs as objects of one bucket. An object appears under its key when the upload is complete; a broken one is aborted.
 */
export class S3Blobs extends Blobs {
  private readonly client: S3Client;
  private readonly bucket: string;

  private constructor(client: S3Client, bucket: string) {
    super();
    this.client = client;
    this.bucket = bucket;
  }

  static open({ endpoint, region, bucket, accessKeyId, secretAccessKey }: S3BlobsOptions): S3Blobs {
    const client = new S3Client({
      endpoint,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    return new S3Blobs(client, bucket);
  }

  async put(key: string, content: Readable, { maxBytes }: { maxBytes: number }): Promise<number> {
    assertBlobKey(key);
    const meter = new SizeMeter(maxBytes);
    const upload = new Upload({
      client: this.client,
      params: { Bucket: this.bucket, Key: key, Body: meter },
      partSize: partBytes,
      queueSize: partsAtOnce,
    });
    // A source that breaks must break what is read, else half of it would be taken for the whole.
    content.once('error', (error) => meter.destroy(error));
    content.pipe(meter);
    try {
      await upload.done();
      return meter.bytes;
    } finally {
      content.destroy();
      meter.destroy();
    }
  }

  async get(key: string): Promise<Readable | null> {
    assertBlobKey(key);
    try {
      const { Body } = await this.client.send(new GetObjectCommand({ Bucket: this.bucket, Key: key }));
      return Body as Readable;
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    assertBlobKey(key);
    await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
  }

  async close(): Promise<void> {
    this.client.destroy();
  }
}
