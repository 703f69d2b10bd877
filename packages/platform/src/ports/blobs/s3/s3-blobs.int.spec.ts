import { afterAll, describe, expect, test } from '@jest/globals';
import { CreateBucketCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { S3Blobs } from './index.ts';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { describeBlobs, describeOn } from '@parley/testing';
import { startS3 } from '@parley/testing/servers';

describeOn('s3', await startS3(), (server) => {
  const options = { endpoint: server.url, region: 'us-east-1', accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new S3Client({
    endpoint: server.url,
    region: options.region,
    forcePathStyle: true,
    credentials: options,
  });
  afterAll(() => client.destroy());

  const makeBucket = async (): Promise<string> => {
    const bucket = `parley-${randomUUID()}`;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return bucket;
  };
  const count = async (bucket: string): Promise<number> => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
    return Contents.length + Uploads.length;
  };

  describeBlobs('s3', async () => {
    const bucket = await makeBucket();
    const open = () => S3Blobs.open({ ...options, bucket });
    return { blobs: open(), count: () => count(bucket), reopen: async () => open(), dispose: async () => undefined };
  });

  describe('blobs: s3, in parts', () => {
    test('aborts an upload of several parts that breaks off, so that no part is left that costs money', async () => {
      const bucket = await makeBucket();
      const blobs = S3Blobs.open({ ...options, bucket });
      const breaking = Readable.from(
        (async function* () {
          for (let part = 0; part < 3; part += 1) yield Buffer.alloc(6 * 1024 * 1024);
          throw new Error('connection lost');
        })(),
      );
      await expect(blobs.put('documents/a', breaking, { maxBytes: 100_000_000 })).rejects.toThrow('connection lost');
      expect(await count(bucket)).toBe(0);
      await blobs.close();
    });
  });
});
