import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ChatImport, ImportId } from '@parley/contracts';
import { importPartBytes } from '@parley/contracts/names';
import { act, renderHook } from '@testing-library/react';
import { installFakeApi, refuse } from '../../../testing/fake-api.ts';
import { sampleIds } from '../../../testing/samples.ts';
import { areFilesOf, startUploading, stopUploading, useUploading } from './uploading.ts';

const checkRoute = 'POST /api/chat/imports/:importId/check';
const rest = 10;

/** A request for a part that the test ends. */
class PartRequest extends EventTarget {
  static all: PartRequest[] = [];
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';
  path = '';
  file: Slice = { from: 0, size: 0 };
  open(_method: string, address: string): void {
    this.path = address.replace(/^.*\/files\//, '');
  }
  setRequestHeader(): void {}
  send(file: Slice): void {
    this.file = file;
    PartRequest.all.push(this);
  }
  abort(): void {
    this.dispatchEvent(new Event('abort'));
  }
  end(status = 204, code?: string): void {
    const responseText = code ? JSON.stringify({ type: '', title: '', status, code }) : '';
    Object.assign(this, { status, responseText });
    this.dispatchEvent(new Event('load'));
  }
  lose(): void {
    this.dispatchEvent(new Event('error'));
  }
}

type Slice = { readonly from: number; readonly size: number };
/** A file without bytes, whose slices tell where they begin. */
const aFile = (name: string, size: number) =>
  ({
    name,
    size,
    slice: (from: number, to: number): Slice => ({ from, size: Math.min(to, size) - from }),
  }) as never as File;
let count = 0;
function anImport(files: ChatImport['files']): ChatImport {
  count += 1;
  return { id: `imp_${String(count).padStart(26, '0')}` as ImportId, files } as ChatImport;
}
const started: ImportId[] = [];

/** Begins to send; `ended` counts how often its end was told. */
function start(item: ChatImport, chosen: readonly File[]) {
  const told = { ended: 0 };
  started.push(item.id);
  const view = renderHook(() => useUploading(item.id));
  act(() => startUploading(sampleIds.org, item, { chosen, onEnd: () => (told.ended += 1) }));
  return { told, state: () => view.result.current };
}
const turn = () => act(() => jest.advanceTimersByTimeAsync(0));
const requests = () => PartRequest.all;
const paths = () => requests().map(({ path }) => path);
async function endAll(): Promise<void> {
  for (let at = 0; at < requests().length; at += 1) {
    requests()[at]!.end();
    await turn();
  }
}

const real = globalThis.XMLHttpRequest;
let api: ReturnType<typeof installFakeApi>;
const checks = () => api.calls.filter(({ route }) => route === checkRoute).length;
beforeEach(() => {
  jest.useFakeTimers();
  PartRequest.all = [];
  globalThis.XMLHttpRequest = PartRequest as unknown as typeof XMLHttpRequest;
  api = installFakeApi({ [checkRoute]: ({ params }) => ({ ...checking, id: params.importId }) });
});
afterEach(() => {
  for (const id of started.splice(0)) act(() => stopUploading(id));
  globalThis.XMLHttpRequest = real;
  jest.useRealTimers();
});
const checking: ChatImport = {
  id: `imp_${'9'.repeat(26)}` as ImportId,
  files: [],
  status: 'checking',
  failure: null,
  source: null,
  report: null,
  progress: null,
  imported: { chats: 0, messages: 0, branches: 0, files: 0 },
  losses: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  checkedMs: null,
  expiresAt: null,
};

describe('an upload of several parts', () => {
  const bytes = 2 * importPartBytes + rest;
  const item = () => anImport([{ name: 'a.zip', bytes, received: [] }]);

  it('sends each part of the file with its own bytes, two at a time, and then has it checked', async () => {
    const { told, state } = start(item(), [aFile('a.zip', bytes)]);
    expect([paths(), state()]).toEqual([['1/parts/1', '1/parts/2'], { sent: 0, total: bytes, error: null }]);
    requests()[1]!.end();
    await turn();
    expect([paths().at(-1), state()?.sent]).toEqual(['1/parts/3', importPartBytes]);
    expect(checks()).toBe(0);
    requests()[0]!.end();
    requests()[2]!.end();
    await turn();
    expect([checks(), told.ended, state()]).toEqual([1, 1, undefined]);
    expect(requests().map(({ file }) => file)).toEqual([
      { from: 0, size: importPartBytes },
      { from: importPartBytes, size: importPartBytes },
      { from: 2 * importPartBytes, size: rest },
    ]);
  });

  it('sends only the missing parts, each under the number of its file', async () => {
    const files = [
      { name: 'a.zip', bytes, received: [1, 3] },
      { name: 'b.zip', bytes: rest, received: [] },
    ];
    // Chosen in another order.
    const { state } = start(anImport(files), [aFile('b.zip', rest), aFile('a.zip', bytes)]);
    expect([paths(), state()?.sent]).toEqual([['1/parts/2', '2/parts/1'], importPartBytes + rest]);
    expect(requests().map(({ file }) => file)).toEqual([
      { from: importPartBytes, size: importPartBytes },
      { from: 0, size: rest },
    ]);
    await endAll();
    expect([checks(), state()]).toEqual([1, undefined]);
  });

  it('sends a part again where the connection was lost, and no other', async () => {
    const { state } = start(item(), [aFile('a.zip', bytes)]);
    requests()[0]!.lose();
    await turn();
    expect([paths(), state()?.error]).toEqual([['1/parts/1', '1/parts/2'], null]);
    await act(() => jest.advanceTimersByTimeAsync(1_000));
    expect(paths()).toEqual(['1/parts/1', '1/parts/2', '1/parts/1']);
    await endAll();
    expect(paths()).toEqual(['1/parts/1', '1/parts/2', '1/parts/1', '1/parts/3']);
    expect(checks()).toBe(1);
  });

  it('gives a lost connection some minutes, then says so, keeps what was sent and has nothing checked', async () => {
    const { told, state } = start(item(), [aFile('a.zip', bytes)]);
    requests()[1]!.end();
    await turn();
    requests()[2]!.end();
    await turn();
    requests()[0]!.lose();
    for (const pauseMs of [1_000, 3_000, 10_000, 30_000, 60_000]) {
      await act(() => jest.advanceTimersByTimeAsync(pauseMs));
      expect([paths().at(-1), state()?.error]).toEqual(['1/parts/1', null]);
      requests().at(-1)!.lose();
    }
    await turn();
    expect(requests()).toHaveLength(8);
    expect(state()?.error).toMatchObject({ name: 'NetworkError' });
    expect([state()?.sent, checks(), told.ended]).toEqual([importPartBytes + rest, 0, 1]);
  });

  it('ends at a refusal and sends no further part', async () => {
    const { told, state } = start(item(), [aFile('a.zip', bytes)]);
    requests()[0]!.end(409, 'platform.conflict');
    await turn();
    requests()[1]!.end();
    await turn();
    expect(paths()).toEqual(['1/parts/1', '1/parts/2']);
    expect([state()?.error, checks(), told.ended]).toMatchObject([{ code: 'platform.conflict' }, 0, 1]);
  });

  it('is stopped by its person: nothing is sent or checked after that, and nothing is shown', async () => {
    const one = item();
    const { told, state } = start(one, [aFile('a.zip', bytes)]);
    act(() => stopUploading(one.id));
    await turn();
    await act(() => jest.advanceTimersByTimeAsync(120_000));
    expect([paths(), checks(), state(), told.ended]).toEqual([['1/parts/1', '1/parts/2'], 0, undefined, 1]);
  });

  it('is not begun twice', async () => {
    const one = item();
    const file = aFile('a.zip', bytes);
    start(one, [file]);
    act(() => startUploading(sampleIds.org, one, { chosen: [file], onEnd: () => undefined }));
    expect(paths()).toHaveLength(2);
  });

  it('says so where it can’t be checked', async () => {
    api = installFakeApi({ [checkRoute]: () => refuse('chat.import-incomplete') });
    const { state } = start(item(), [aFile('a.zip', bytes)]);
    await endAll();
    expect(state()?.error).toMatchObject({ code: 'chat.import-incomplete' });
  });
});

describe('files that are chosen again', () => {
  const files = [
    { name: 'a.zip', bytes: 2, received: [] },
    { name: 'b.zip', bytes: 1, received: [] },
  ];

  it('are those of the upload if names and sizes are the same, in any order', () => {
    expect(areFilesOf({ files }, [aFile('b.zip', 1), aFile('a.zip', 2)])).toBe(true);
  });

  it.each([
    ['one is missing', [aFile('a.zip', 2)]],
    ['one is another', [aFile('a.zip', 2), aFile('c.zip', 1)]],
    ['one has another size', [aFile('a.zip', 2), aFile('b.zip', 2)]],
    ['there are more', [aFile('a.zip', 2), aFile('b.zip', 1), aFile('c.zip', 1)]],
  ])('are not if %s', (_case, chosen) => {
    expect(areFilesOf({ files }, chosen)).toBe(false);
  });
});
