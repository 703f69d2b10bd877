import { afterAll, expect, test } from '@jest/globals';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { OutboundClient } from '../index.ts';
import { SourceBucket } from './index.ts';
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { describeOn } from '@parley/testing';
import { startS3 } from '@parley/testing/servers';

describeOn('s3', await startS3(), (server) => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const options = { endpoint: server.url, region: 'us-east-1', ...credentials };
  const writer = new S3Client({ endpoint: server.url, region: options.region, forcePathStyle: true, credentials });
  const clients = [true, false].map(
    (allowed) => new OutboundClient({ allows: () => allowed, connectTimeoutMs: 5_000, connections: 4 }),
  );
  const [outbound, closed] = clients as [OutboundClient, OutboundClient];
  afterAll(async () => {
    writer.destroy();
    await Promise.all(clients.map((client) => client.close()));
  });
  const put = (bucket: string, key: string, body: string) =>
    writer.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body }));

  test('lists a bucket page by page below a prefix and reads it, with any characters in its keys', async () => {
    const bucket = `parley-${randomUUID()}`;
    await writer.send(new CreateBucketCommand({ Bucket: bucket }));
    for (let at = 0; at < 1_003; at += 1) await put(bucket, `docs/${String(at).padStart(4, '0')}.txt`, 'x');
    await put(bucket, "docs/ü (1) +'a.md", 'Über');
    await put(bucket, 'other/secret.md', 'no');
    const source = new SourceBucket({ ...options, bucket }, outbound);
    const first = await source.list('docs/', null);
    const second = await source.list('docs/', first.next);
    expect([first.objects.length, second.objects.length, second.next]).toEqual([1_000, 4, null]);
    const last = second.objects.at(-1)!;
    expect(last).toMatchObject({ key: "docs/ü (1) +'a.md", bytes: 5, etag: expect.stringMatching(/^"[0-9a-f]{32}"$/) });
    expect(await text(await source.get(last.key))).toBe('Über');
    source.close();
  });

  test('reports a missing bucket, and doesn’t call a bucket in a private network that isn’t allowed', async () => {
    const bucket = `parley-${randomUUID()}`;
    const missing = new SourceBucket({ ...options, bucket }, outbound);
    await expect(missing.list('', null)).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
    const guarded = new SourceBucket({ ...options, bucket }, closed);
    await expect(guarded.list('', null)).rejects.toMatchObject({ code: 'platform.address-not-allowed' });
    missing.close();
    guarded.close();
  });
});
