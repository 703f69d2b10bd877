import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListPartsCommand,
  NoSuchKey,
  S3Client,
  UploadPartCommand,
  type Part,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertBlobKey, assertPart, Blobs, noSuchPart, type BlobPart } from '../blobs.ts';
import { SizeMeter } from '../size-meter.ts';

export type S3BlobsOptions = {
  /** The endpoint of an S3-compatible storage. The bucket is addressed by path. */
  readonly endpoint: string;
  readonly region: string;
  /** Must exist. */
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** The smallest part that S3 takes. An upload holds `partsAtOnce` of them in memory. */
const partBytes = 5 * 1024 * 1024;
const partsAtOnce = 2;

/**
 * Stores blobs as objects of one bucket. An object appears under its key when the upload is complete; a broken one is
 * aborted.
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
    // If the source breaks, reading must break too, or half of the content would be taken for the whole.
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

  async getRange(key: string, start: number, end: number): Promise<Readable | null> {
    const where = this.at(key);
    // Asks for at least one byte, because HTTP has no empty ranges.
    const range = `bytes=${start}-${Math.max(start, end - 1)}`;
    try {
      const { Body } = await this.client.send(new GetObjectCommand({ ...where, Range: range }));
      if (start < end) return Body as Readable;
      (Body as Readable).destroy();
      return Readable.from([]);
    } catch (error) {
      if (error instanceof NoSuchKey) return null;
      if (isNamed(error, 'InvalidRange')) return Readable.from([]);
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    assertBlobKey(key);
    await this.client.send(new DeleteObjectCommand({ Bucket: this.bucket, Key: key }));
  }

  async beginParts(key: string): Promise<string> {
    const { UploadId } = await this.client.send(new CreateMultipartUploadCommand(this.at(key)));
    if (UploadId === undefined) throw new Error('The storage gave no id for an upload.');
    return UploadId;
  }

  async putPart(
    key: string,
    { uploadId: UploadId, number: PartNumber, maxBytes }: BlobPart,
    content: Readable,
  ): Promise<number> {
    assertPart({ number: PartNumber, maxBytes });
    const where = this.at(key);
    // Collects the content in memory, because S3 needs its length first.
    const chunks: Buffer[] = [];
    const meter = new SizeMeter(maxBytes);
    await pipeline(content, meter, async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) chunks.push(chunk);
    });
    try {
      const Body = Buffer.concat(chunks);
      await this.client.send(new UploadPartCommand({ ...where, UploadId, PartNumber, Body }));
    } catch (error) {
      throw (await this.isUpload(key, UploadId)) ? error : noSuchPart('There is no such upload.');
    }
    return meter.bytes;
  }

  async completeParts(key: string, uploadId: string, parts: readonly number[]): Promise<number> {
    const where = this.at(key);
    try {
      const stored = await this.partsIn(key, uploadId);
      const wanted = parts.toSorted((one, other) => one - other).map((number) => stored.get(number));
      const found = wanted.filter((part) => part !== undefined);
      if (found.length < wanted.length) throw noSuchPart('A part is missing.');
      const Parts = found.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
      const complete = { ...where, UploadId: uploadId, MultipartUpload: { Parts } };
      await this.client.send(new CompleteMultipartUploadCommand(complete));
    } catch (error) {
      if (!isNamed(error, 'NoSuchUpload')) throw error;
    }
    // If an earlier call completed the upload and the caller didn't get the response, the whole blob exists.
    try {
      const { ContentLength = 0 } = await this.client.send(new HeadObjectCommand(where));
      return ContentLength;
    } catch (error) {
      throw isNamed(error, 'NotFound') ? noSuchPart('There is no such upload.') : error;
    }
  }

  async abortParts(key: string, uploadId: string): Promise<void> {
    try {
      await this.client.send(new AbortMultipartUploadCommand({ ...this.at(key), UploadId: uploadId }));
    } catch (error) {
      if (!isNamed(error, 'NoSuchUpload')) throw error;
    }
  }

  async close(): Promise<void> {
    this.client.destroy();
  }

  private at(key: string): { readonly Bucket: string; readonly Key: string } {
    assertBlobKey(key);
    return { Bucket: this.bucket, Key: key };
  }

  /** Returns whether the upload exists, because not every storage says why it refuses a part. */
  private async isUpload(key: string, UploadId: string): Promise<boolean> {
    try {
      await this.client.send(new ListPartsCommand({ ...this.at(key), UploadId, MaxParts: 1 }));
      return true;
    } catch (error) {
      return !isNamed(error, 'NoSuchUpload');
    }
  }

  private async partsIn(key: string, UploadId: string): Promise<ReadonlyMap<number, Part>> {
    const parts = new Map<number, Part>();
    const where = { ...this.at(key), UploadId };
    for (let PartNumberMarker: string | undefined, isMore = true; isMore;) {
      const page = await this.client.send(new ListPartsCommand({ ...where, PartNumberMarker }));
      for (const part of page.Parts ?? []) if (part.PartNumber !== undefined) parts.set(part.PartNumber, part);
      PartNumberMarker = page.NextPartNumberMarker;
      // Checks `IsTruncated` as well, because the last page names a next one, too.
      isMore = page.IsTruncated === true && PartNumberMarker !== undefined;
    }
    return parts;
  }
}

const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;
