import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChatFile, ConversationId } from '@parley/contracts';
import { Drafts } from './drafts.ts';
import { mostFiles } from './question-limits.ts';
import { refusalOf, Uploads, type Upload } from './uploads.ts';

const where = `cnv_${'1'.repeat(26)}` as ConversationId;
const file = (name: string, size = 1) => new File(['x'.repeat(size)], name);

/** Creates uploads whose ends the test decides. */
function start() {
  localStorage.clear();
  const drafts = new Drafts('parley.draft.usr.org');
  const sent: { upload: Upload; onProgress: (share: number) => void; end: PromiseWithResolvers<ChatFile> }[] = [];
  const aborted: string[] = [];
  const uploads = new Uploads({
    drafts,
    send: (upload, onProgress) => {
      const end = Promise.withResolvers<ChatFile>();
      sent.push({ upload, onProgress, end });
      const abort = () => {
        aborted.push(upload.file.name);
        end.reject(new DOMException('Upload stopped', 'AbortError'));
      };
      return { done: end.promise, abort };
    },
  });
  const states = () => uploads.all.map(({ file: { name }, state }) => `${name} ${state}`);
  const settle = async (at: number, error?: Error) => {
    const { upload, end } = sent[at]!;
    if (error) end.reject(error);
    else end.resolve({ id: upload.id } as ChatFile);
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { drafts, uploads, sent, aborted, states, settle };
}

let page: ReturnType<typeof start>;
beforeEach(() => {
  page = start();
});

describe('uploading files', () => {
  it('sends two files at a time, and adds each to the draft once it is stored', async () => {
    const { uploads, drafts, sent, states, settle } = page;
    uploads.add(
      where,
      ['a.md', 'b.md', 'c.md'].map((name) => file(name)),
    );
    expect(states()).toEqual(['a.md sending', 'b.md sending', 'c.md waiting']);
    sent[0]!.onProgress(0.5);
    expect(uploads.all[0]!.share).toBe(0.5);
    await settle(0);
    expect(states()).toEqual(['b.md sending', 'c.md sending']);
    expect(drafts.read(where).files).toEqual([{ id: sent[0]!.upload.id, use: 'auto' }]);
  });

  it('adds files to the draft in the order of choosing, whichever is stored first', async () => {
    const { uploads, drafts, sent, settle } = page;
    uploads.add(
      where,
      ['a.md', 'b.md', 'c.md'].map((name) => file(name)),
    );
    await settle(1);
    await settle(2);
    await settle(0);
    const names = drafts
      .read(where)
      .files.map(({ id }) => sent.find(({ upload }) => upload.id === id)!.upload.file.name);
    expect(names).toEqual(['a.md', 'b.md', 'c.md']);
    const [a, b, c] = sent.map(({ upload }) => upload);
    expect(uploads.among([c!], [a!, b!])).toEqual([a, b, c]);
    // The draft got one of the files back after one that was chosen later: keep that order.
    expect(uploads.among([c!, a!], [b!])).toEqual([b, c, a]);
  });

  it('refuses unreadable, too large and empty files before sending a byte', () => {
    const { uploads, sent, states } = page;
    uploads.add(where, [file('a.zip'), file('b.md', 0)]);
    expect([states(), sent]).toEqual([['a.zip refused', 'b.md refused'], []]);
    expect(refusalOf({ name: 'a.PDF', size: 50_000_001, type: '' })).toBe('size');
    expect(refusalOf({ name: 'a.PDF', size: 50_000_000, type: '' })).toBeUndefined();
  });

  it('refuses images of kinds that models don’t accept before sending them', () => {
    const { uploads, sent, states } = page;
    uploads.add(where, [file('Photo.HEIC'), file('logo.svg'), file('panel.png')]);
    expect(states()).toEqual(['Photo.HEIC refused', 'logo.svg refused', 'panel.png sending']);
    expect(uploads.all.map(({ refusal }) => refusal)).toEqual(['heic', 'image', undefined]);
    expect(sent).toHaveLength(1);
  });

  it('shows images immediately, until they are removed or many others were added', async () => {
    const { uploads, sent, settle } = page;
    uploads.add(where, [file('a.png'), file('b.md')]);
    const { id } = sent[0]!.upload;
    expect([...uploads.previews.keys()]).toEqual([id]);
    await settle(0);
    expect(uploads.previews.has(id)).toBe(true);
    uploads.remove(id);
    expect(uploads.previews.size).toBe(0);
    for (let at = 0; at < 100; at++) uploads.add(`cnv_${at}` as ConversationId, [file(`${at}.png`)]);
    expect(uploads.previews.size).toBe(40);
  });

  it('leaves out files beyond the most of a message, counting those of the draft', async () => {
    const { uploads, drafts, settle } = page;
    uploads.add(where, [file('first.md')]);
    await settle(0);
    const many = Array.from({ length: 1_000 }, (_, at) => file(`${at}.md`));
    expect(uploads.add(where, many)).toBe(1_000 - (mostFiles - 1));
    expect(uploads.add('new', [file('other.md')])).toBe(0);
    expect(drafts.read(where).files.length + uploads.all.filter((one) => one.where === where).length).toBe(mostFiles);
  });

  it('sends a failed file again under the same id', async () => {
    const { uploads, sent, states, settle } = page;
    uploads.add(where, [file('a.md')]);
    await settle(0, new Error('gone'));
    expect(states()).toEqual(['a.md failed']);
    uploads.retry(sent[0]!.upload.id);
    await settle(1);
    expect([states(), sent[1]!.upload.id]).toEqual([[], sent[0]!.upload.id]);
  });

  it('stops removed uploads, and keeps them out of the draft', async () => {
    const { uploads, drafts, sent, aborted, states, settle } = page;
    uploads.add(where, [file('a.md'), file('b.md'), file('c.md')]);
    uploads.remove(sent[0]!.upload.id);
    await settle(1);
    expect([aborted, states()]).toEqual([['a.md'], ['c.md sending']]);
    expect(drafts.read(where).files.map(({ id }) => id)).toEqual([sent[1]!.upload.id]);
  });

  it('keeps a removed file out of the draft, even if the server has stored it already', async () => {
    const { uploads, drafts, sent, states, settle } = page;
    uploads.add(where, [file('a.md')]);
    // The server has stored the file, so the upload can't be stopped any more.
    sent[0]!.end.resolve({ id: sent[0]!.upload.id } as ChatFile);
    uploads.remove(sent[0]!.upload.id);
    await settle(0);
    expect([states(), drafts.read(where).files]).toEqual([[], []]);
  });
});
