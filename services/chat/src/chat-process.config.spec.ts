import { expect, test } from '@jest/globals';
import { chatProcessConfig } from './chat-process.config.ts';

const s3 = {
  PARLEY_S3_ENDPOINT: 'http://objects:9000',
  PARLEY_S3_REGION: 'r',
  PARLEY_S3_BUCKET: 'b',
  PARLEY_S3_ACCESS_KEY_ID: 'a',
  PARLEY_S3_SECRET_ACCESS_KEY: 's',
};
const blobFaults = (given: Record<string, string>): unknown[] =>
  (chatProcessConfig.safeParse(given).error?.issues ?? [])
    .filter(({ path }) => /S3|BLOBS/.test(String(path[0])))
    .map(({ path }) => path[0]);

test('uploads go to a folder or to S3, named completely; said together with every other fault', () => {
  expect([blobFaults(s3), blobFaults({ PARLEY_BLOBS_FOLDER: '/blobs' })]).toEqual([[], []]);
  expect(blobFaults({})).toEqual(['PARLEY_S3_ENDPOINT']);
  expect(blobFaults({ ...s3, PARLEY_BLOBS_FOLDER: '/blobs' })).toEqual(['PARLEY_BLOBS_FOLDER']);
  expect(blobFaults({ PARLEY_S3_ENDPOINT: s3.PARLEY_S3_ENDPOINT })).toEqual(['PARLEY_S3_ENDPOINT']);
});
