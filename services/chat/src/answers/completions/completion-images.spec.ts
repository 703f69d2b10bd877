import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { completionRequest, type ImageSupport } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import sharp from 'sharp';
import type { Viewer } from '../../conversations/index.ts';
import { filesBench, hugePng, noise } from '../../testing/files-bench.spec-setup.ts';
import { ImageIntake } from '../../knowledge/files/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { ApartPurge } from '../generations/index.ts';
import { AskCompletion } from './ask-completion.ts';

const bench = await filesBench();
const { blobs, fileRows, quota, work, clock, uses } = bench;
const intake = new ImageIntake(fileRows, quota, blobs, work, clock, bench.flows, uses);
const asking = new AskCompletion(bench.chatbots, bench.answerers, bench.apart, bench.completions, intake);
beforeAll(bench.ready);

const problem = (code: string) => expect.objectContaining({ code }) as unknown as Error;
const png = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#c81e1e' } })
  .png()
  .toBuffer();
const text = (words: string) => ({ type: 'text', text: words });
const image = (bytes: Buffer | string = png) => ({
  type: 'image_url',
  image_url: { url: `data:image/png;base64,${typeof bytes === 'string' ? bytes : bytes.toString('base64')}` },
});
const user = (...content: object[]) => ({ role: 'user', content });
const never = new AbortController().signal;

/** A person of an organisation whose model has this support for images. */
async function aPerson(accepts: ImageSupport = 'unknown'): Promise<Viewer> {
  const viewer = aViewer();
  const server = { kind: 'openai-compatible', name: 'P', baseUrl: 'http://localhost', models: ['m'] } as const;
  const row = { ...server, _id: newId('provider'), orgId: viewer.scope.orgId, createdAt: clock.now(), version: 1 };
  const keys = { sealedKey: null, keyHint: null, defaultModel: 'm', isDefault: true, thinks: false };
  const images = accepts === 'unknown' ? [] : [{ model: 'm', accepts }];
  await work.run(job('tests'), (tx) =>
    bench.providers.create(viewer.scope, { ...row, ...keys, embeddingModel: null, images } as never, tx),
  );
  return viewer;
}

async function ask(viewer: Viewer, messages: object[], gone = never) {
  const model = await bench.addChatbot(viewer, {});
  const body = completionRequest.parse({ model, messages });
  const request: { body?: unknown } = { body };
  const generation = await asking.ask({ ...viewer, body, request } as never, gone);
  return { generation, body, request, row: await bench.completions.find(viewer.scope, generation.completionId!) };
}

/** Makes unused files due now, and erases the files that no question refers to. */
async function eraseUnheld(): Promise<void> {
  await bench.eraseFiles();
}

describe('images of a program’s question', () => {
  test('stores images as ready files of the caller, and frees their base64 in the request', async () => {
    const viewer = await aPerson();
    const { row, body, request, generation } = await ask(viewer, [
      user(text('What is this?'), image()),
      { role: 'assistant', content: 'A red square.' },
      user(image(), image()),
    ]);
    const [first, , last] = row.path;
    expect([first!.text, first!.attached!.length, last!.text, last!.attached!.length]).toEqual([
      'What is this?',
      1,
      '',
      2,
    ]);
    expect(row.files).toHaveLength(3);
    const files = await bench.list(viewer, ...row.files!);
    expect(files.map(({ status, name, image: size }) => [status, name, size])).toEqual(
      [1, 2, 3].map((nth) => ['ready', `image-${nth}.png`, { width: 30, height: 20, bytes: expect.any(Number) }]),
    );
    expect([request.body, JSON.stringify(body).includes('base64')]).toEqual([undefined, false]);
    expect(await bench.used(viewer)).toBeGreaterThan(3 * png.length);
    expect(generation.completionId).toBe(row._id);
  });

  test('keeps images as long as the question, and erases them with it', async () => {
    const viewer = await aPerson();
    const { row } = await ask(viewer, [user(image())]);
    const [id] = row.files!;
    await work.run(job('tests'), (tx) => uses.letGo(viewer.scope, [id!], tx));
    await eraseUnheld();
    expect(await bench.left(viewer, id!)).toMatchObject({ row: true, file: true });
    const later = { now: () => new Date(clock.now().getTime() + bench.completions.keepMs + 60_000) } as typeof clock;
    const parts = [bench.apartQuestions, bench.messages, bench.generations, work, later] as const;
    await new ApartPurge(...parts).purge();
    await eraseUnheld();
    expect(await bench.left(viewer, id!)).toMatchObject({ row: false, file: false });
    expect([...bench.kept.keys()].filter((key) => key.includes(id!.toLowerCase()))).toEqual([]);
    expect(await bench.used(viewer)).toBe(0);
  });

  test('releases the images if asking fails', async () => {
    const viewer = await aPerson();
    const failing = jest.spyOn(bench.apart, 'ask').mockRejectedValueOnce(new Error('broken'));
    await expect(ask(viewer, [user(image(), image())])).rejects.toThrow('broken');
    failing.mockRestore();
    await eraseUnheld();
    expect(await bench.used(viewer)).toBe(0);
  });

  test('erases the images of a killed process after an hour', async () => {
    const viewer = await aPerson();
    const [file] = await intake.store(viewer, [{ mediaType: 'image/png', content: png }], never);
    const row = (await fileRows.find(viewer.scope, file!.id))!;
    expect(row.checkAt!.getTime() - row.createdAt.getTime()).toBe(3_600_000);
  });
});

describe('refused images, which leave no file', () => {
  const bad: [string, object[], string][] = [
    ['broken base64', [user(image('AAA*'))], 'platform.invalid-request'],
    ['an empty image', [user(image(''))], 'platform.invalid-request'],
    ['a PDF that calls itself PNG', [user(image(), image(Buffer.from('%PDF-1.7')))], 'chat.file-unreadable'],
    ['more than 100 megapixels', [user(image(), image(hugePng(20_000, 20_000)))], 'chat.image-too-large'],
    ['an earlier one that is not whole', [user(image(png.subarray(0, 60))), user(text('?'))], 'chat.file-unreadable'],
  ];
  test.each(bad)('refuses %s', async (_what, messages, code) => {
    const viewer = await aPerson();
    await expect(ask(viewer, messages)).rejects.toThrow(problem(code));
    await eraseUnheld();
    expect(await bench.used(viewer)).toBe(0);
  });

  test('refuses images beyond the storage quota', async () => {
    const viewer = await aPerson();
    await expect(ask(viewer, [user(image(), image(await noise(250)))])).rejects.toThrow(
      problem('chat.storage-quota-reached'),
    );
    await eraseUnheld();
    expect(await bench.used(viewer)).toBe(0);
  });

  test('refuses images for a model without images and for the built-in assistant, before reading one', async () => {
    for (const viewer of [await aPerson('no'), aViewer()])
      await expect(ask(viewer, [user(text('?'), image(Buffer.from('x')))])).rejects.toThrow(
        problem('chat.images-not-accepted'),
      );
  });

  test('refuses the question of a caller that has left', async () => {
    await expect(ask(await aPerson(), [user(image())], AbortSignal.abort())).rejects.toThrow(
      problem('chat.answer-stopped'),
    );
  });
});

describe('the request’s schema', () => {
  const issuesOf = (messages: unknown) =>
    completionRequest
      .safeParse({ model: 'm', messages })
      .error!.issues.map(({ path, message }) => [path.join('.'), message]);
  test('accepts data URLs of images only', () => {
    for (const url of [
      'https://example.com/a.png',
      'data:application/pdf;base64,AAAA',
      'data:image/svg+xml;base64,AAAA',
    ])
      expect(issuesOf([user({ type: 'image_url', image_url: { url } })])).toEqual([
        ['messages.0.content.0.image_url.url', expect.stringContaining('only data URLs are accepted')],
      ]);
  });

  test('accepts 20 images in all, and none in a message of the assistant', () => {
    const ten = Array.from({ length: 10 }, () => image('AAAA'));
    expect(completionRequest.safeParse({ model: 'm', messages: [user(...ten), user(...ten)] }).success).toBe(true);
    expect(issuesOf([user(...ten), user(...ten, image('AAAA'))])).toEqual([['messages', 'has more than 20 images']]);
    expect(issuesOf([{ role: 'assistant', content: [image('AAAA')] }, user(text('?'))])).toHaveLength(1);
  });

  test('reads no more of a long list than the maximum', () => {
    const many = Array.from({ length: 1_000_000 }, () => 0);
    for (const { length } of [issuesOf(many), issuesOf([{ role: 'user', content: many }])]) {
      expect(length).toBeLessThan(1_100);
      expect(length).toBeGreaterThan(0);
    }
  });
});
