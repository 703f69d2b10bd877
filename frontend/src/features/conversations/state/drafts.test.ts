import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ConversationId, Draft, FileId, MessageId } from '@parley/contracts';
import { NetworkError, ProblemError } from '../../../lib/http.ts';
import { DraftSync } from './draft-sync.ts';
import { Drafts } from './drafts.ts';
import { longestQuestion } from './question-limits.ts';

const where = `cnv_${'1'.repeat(26)}` as ConversationId;
const question = `msg_${'1'.repeat(26)}` as MessageId;
const owner = 'parley.draft.usr.org';
const at = '2026-11-21T10:00:00.000Z';

/** The draft on the server, which stores every save for other devices. */
let server: Draft;
let failure: Error | null;
let requests: string[];
let isSending: boolean;
let isBeginning: boolean;

function aPage() {
  const drafts = new Drafts(owner);
  const answer = async (request: string) => {
    requests.push(request);
    if (failure) throw failure;
    return server;
  };
  const sync = new DraftSync({
    drafts,
    read: () => answer('read'),
    save: (_where, { text, revision, others, files, hasOtherFiles }) => {
      const isLate = revision !== server.revision && server.text !== '';
      const kept = isLate ? [{ text: server.text, at }, ...others] : others;
      const ids = hasOtherFiles ? files.map(({ id }) => id) : server.files;
      if (!failure) server = { text, revision: server.revision + 1, others: kept, ...(ids && { files: ids }) };
      return answer(`save ${text}`);
    },
    isSending: () => isSending,
    isBeginning: () => isBeginning,
  });
  return { drafts, sync };
}
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  server = { text: '', revision: 0, others: [] };
  [failure, requests, isSending, isBeginning] = [null, [], false, false];
});
afterEach(() => {
  jest.useRealTimers();
});

describe('files of a draft', () => {
  const [one, two] = ['1', '2'].map((digit) => `fil_${digit.repeat(26)}` as FileId) as [FileId, FileId];

  it('saves files of a draft with its text, for other devices', async () => {
    const { drafts, sync } = aPage();
    drafts.type(where, 'herons');
    drafts.attach(where, one);
    drafts.attach(where, one);
    await sync.save(where);
    expect(server).toMatchObject({ text: 'herons', files: [one] });
    localStorage.clear();
    const other = aPage();
    await other.sync.refresh(where);
    expect(other.drafts.read(where).files).toEqual([{ id: one, use: 'auto' }]);
  });

  it('keeps the use that was chosen here, and sends no files if none changed', async () => {
    const { drafts, sync } = aPage();
    drafts.attachAll(where, [
      { id: one, use: 'auto' },
      { id: two, use: 'whole' },
    ]);
    drafts.use(where, { id: one, use: 'searched' });
    await sync.save(where);
    expect(drafts.read(where)).toMatchObject({
      files: [
        { id: one, use: 'searched' },
        { id: two, use: 'whole' },
      ],
      hasOtherFiles: false,
    });
    drafts.type(where, 'herons');
    expect(drafts.read(where).hasOtherFiles).toBe(false);
    await sync.save(where);
    expect([server.files, drafts.read(where).files[0]]).toEqual([[one, two], { id: one, use: 'searched' }]);
  });

  it('removes files with the sent question, and when a person removes them', async () => {
    const { drafts, sync } = aPage();
    drafts.attachAll(where, [
      { id: one, use: 'auto' },
      { id: two, use: 'auto' },
    ]);
    drafts.detach(where, two);
    await sync.save(where);
    expect(server.files).toEqual([one]);
    isSending = true;
    drafts.send(where, question);
    await sync.save(where);
    expect([server.files, drafts.read(where).files]).toEqual([[one], []]);
    isSending = false;
    await sync.save(where);
    expect(server.files).toEqual([]);
  });
});

describe('typed text of a draft', () => {
  it('keeps typed text in the browser immediately, and saves it after a pause in one request', async () => {
    const { drafts, sync } = aPage();
    for (const text of ['a', 'ab', 'abc']) {
      drafts.type(where, text);
      sync.saveSoon(where);
      await pass(500);
    }
    expect(new Drafts(owner).read(where).text).toBe('abc');
    expect(requests).toEqual([]);
    await pass(300);
    expect(requests).toEqual(['save abc']);
    expect(drafts.unsaved()).toEqual([]);
    await pass(60_000);
    expect(requests).toHaveLength(1);
  });

  it('saves text again that was typed during a save', async () => {
    const { drafts, sync } = aPage();
    drafts.type(where, 'a');
    const saving = sync.save(where);
    drafts.type(where, 'ab');
    await saving;
    expect(drafts.read(where)).toMatchObject({ text: 'ab', revision: 1 });
    await pass(800);
    expect(server).toEqual({ text: 'ab', revision: 2, others: [] });
  });

  it('keeps text over a reload during an outage, and saves it afterwards', async () => {
    failure = new NetworkError();
    const { drafts, sync } = aPage();
    drafts.type(where, 'herons');
    await sync.save(where);
    const later = aPage();
    expect(later.drafts.read(where).text).toBe('herons');
    failure = null;
    later.sync.saveAll();
    await pass(0);
    expect(server.text).toBe('herons');
  });

  it('retries a save after an outage, but not after a refusal', async () => {
    const { drafts, sync } = aPage();
    drafts.type(where, 'herons');
    failure = new ProblemError({ type: '', title: '', status: 403, code: 'platform.forbidden' });
    await sync.save(where);
    await pass(60_000);
    expect(requests).toHaveLength(1);
    failure = new NetworkError();
    await sync.save(where);
    await pass(15_000);
    expect(requests).toHaveLength(3);
  });

  it('saves text in a new chat only after the chat’s first question is accepted', async () => {
    const { drafts, sync } = aPage();
    isBeginning = true;
    drafts.type(where, 'herons');
    await sync.save(where);
    sync.saveAll();
    expect(requests).toEqual([]);
    isBeginning = false;
    sync.saveAll();
    await pass(0);
    expect(requests).toEqual(['save herons']);
  });

  it('drops the text of a chat that was deleted elsewhere', async () => {
    failure = new ProblemError({ type: '', title: '', status: 404, code: 'chat.conversation-not-found' });
    const { drafts, sync } = aPage();
    drafts.type(where, 'herons');
    await sync.save(where);
    expect(drafts.unsaved()).toEqual([]);
  });

  it('keeps text that is too long to be saved in the browser', async () => {
    const { drafts, sync } = aPage();
    drafts.type(where, 'x'.repeat(longestQuestion + 1));
    await sync.save(where);
    expect(requests).toEqual([]);
  });

  it('keeps text that is typed while another device’s draft is read, and keeps both', async () => {
    server = { text: 'from the phone', revision: 4, others: [] };
    const { drafts, sync } = aPage();
    const reading = sync.refresh(where);
    drafts.type(where, 'from here');
    await reading;
    expect(drafts.read(where)).toMatchObject({ text: 'from here', revision: 0 });
    expect(drafts.unsaved()).toEqual([where]);
    await sync.save(where);
    expect(drafts.read(where)).toMatchObject({ text: 'from here', others: [{ text: 'from the phone' }] });
  });

  it('restores no sent text as a draft if the server’s draft is read meanwhile', async () => {
    server = { text: 'herons', revision: 1, others: [] };
    const { drafts, sync } = aPage();
    const reading = sync.refresh(where);
    drafts.type(where, 'herons');
    drafts.send(where, question);
    await reading;
    expect(drafts.read(where)).toMatchObject({ text: '', sent: question });
  });

  it('takes over text that the previous release stored', () => {
    localStorage.setItem(`${owner}.new`, JSON.stringify('storks'));
    const { drafts } = aPage();
    expect(drafts.read('new')).toMatchObject({ text: 'storks', revision: 0 });
    expect(drafts.unsaved()).toEqual(['new']);
  });
});

describe('a draft of another device', () => {
  it('shows another device’s draft when the chat opens; keeps both if the text here is unsaved', async () => {
    server = { text: 'from the phone', revision: 4, others: [] };
    const { drafts, sync } = aPage();
    await sync.refresh(where);
    expect(drafts.read(where)).toMatchObject({ text: 'from the phone', revision: 4 });
    server = { text: 'more from the phone', revision: 5, others: [] };
    drafts.type(where, 'from here');
    await sync.refresh(where);
    expect(requests).toEqual(['read', 'save from here']);
    expect(drafts.read(where)).toMatchObject({ text: 'from here', others: [{ text: 'more from the phone' }] });
  });

  it('swaps or dismisses another device’s text, here and on the server', async () => {
    server = { text: 'mine', revision: 2, others: [{ text: 'theirs', at }] };
    const { drafts, sync } = aPage();
    await sync.refresh(where);
    drafts.swap(where, drafts.read(where).others[0]!);
    await sync.save(where);
    expect(server).toMatchObject({ text: 'theirs', revision: 3, others: [{ text: 'mine' }] });
    drafts.dismiss(where, drafts.read(where).others[0]!);
    await sync.save(where);
    expect(server).toEqual({ text: 'theirs', revision: 4, others: [] });
  });

  it('keeps a text that arrives while another is dismissed, and doesn’t restore the dismissed one', async () => {
    server = { text: 'mine', revision: 2, others: [{ text: 'first', at }] };
    const { drafts, sync } = aPage();
    await sync.refresh(where);
    drafts.type(where, 'mine too');
    server = { ...server, text: 'second', revision: 3 };
    const saving = sync.save(where);
    drafts.dismiss(where, drafts.read(where).others[0]!);
    await saving;
    expect(drafts.read(where).others).toEqual([{ text: 'second', at }]);
  });
});

describe('a sent draft', () => {
  it('empties the composer when a draft is sent, and the server’s draft when its question is accepted', async () => {
    const { drafts, sync } = aPage();
    drafts.type(where, 'herons');
    await sync.save(where);
    isSending = true;
    drafts.send(where, question);
    await sync.refresh(where);
    sync.saveAll();
    await pass(60_000);
    expect([drafts.read(where).text, server.text]).toEqual(['', 'herons']);
    isSending = false;
    sync.saveAll();
    await pass(0);
    expect(server.text).toBe('');
    expect(drafts.unsaved()).toEqual([]);
  });

  it('removes the server’s draft from the next page if this one was closed before', async () => {
    const { drafts, sync } = aPage();
    drafts.type(where, 'herons');
    await sync.save(where);
    drafts.send(where, question);
    const later = aPage();
    later.sync.saveAll();
    await pass(0);
    expect(server.text).toBe('');
  });
});

describe('the draft of a deleted chat', () => {
  it('drops the draft with a deleted chat, and restores both', () => {
    const { drafts } = aPage();
    drafts.type(where, 'herons');
    drafts.drop(where);
    expect([drafts.read(where).text, new Drafts(owner).read(where).text]).toEqual(['', '']);
    drafts.bringBack(where);
    expect(new Drafts(owner).read(where).text).toBe('herons');
  });
});
