import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeInputs } from './inputs.spec-setup.ts';

const scene = describeInputs('in turn');

describe('a file', () => {
  const path = () => `/api/chat/documents?id=${newId('document')}&name=`;
  const send = async (name: string, body: string | Uint8Array<ArrayBuffer>, contentType = 'application/octet-stream') =>
    (await scene().world.owner.request('POST', path() + name, { body, contentType })).status;
  const countOfDocuments = async () => {
    const { counts } = await scene().world.owner.call('GET /api/chat/documents');
    return counts.all;
  };

  test('of more than 25 MB: 413, and nothing is kept', async () => {
    const before = await countOfDocuments();
    expect(await send('big.txt', new Uint8Array(25_000_001))).toBe(413);
    expect(await countOfDocuments()).toBe(before);
  });
  test.each(['a.doc', 'a.exe', 'noending'])('named %s: 415', async (name) => {
    expect(await send(name, 'text')).toBe(415);
  });
  test('that is empty: 422', async () => {
    expect(await send('a.txt', new Uint8Array(0))).toBe(422);
  });
  test.each(['application/json', 'multipart/form-data; boundary=x'])('sent as %s: 415', async (contentType) => {
    expect(await send('a.txt', '{"path":"/etc/passwd"}', contentType)).toBe(415);
  });
});
