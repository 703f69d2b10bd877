import type { ConversationId, Message, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing/eventually';
import type { ParleyClient } from '@parley/testing/client';
import { freePort } from '@parley/testing/servers';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clockHook, inStore } from '../upgrade/processes.ts';
import { statusOf, untilAccepted } from './calls.ts';
import { Evidence, type ConversationRecord } from './evidence.ts';
import { judgeTab, readAll } from './judge.ts';
import { killInExport } from './export-kills.ts';
import { killWithFiles } from './file-kills.ts';
import { killWithImport, killWithProjectFiles } from './import-kills.ts';
import { bothHooks, pointHook } from './kill-points.ts';
import { conversationPath, KilledProduct } from './killed-product.ts';
import { foundGroups, signInAgain } from './people.ts';
import { MockProvider } from './provider.ts';
import { killWithProjects } from './project-kills.ts';
import { killInQueue } from './queue-kills.ts';
import { Tab } from './tab.ts';
import { newQuestion, readAnswer } from './world.ts';

/** More than two batches of a branching, and of an erasing. */
const questions = 22;
const erasedWithinMs = 180_000;
/** When a deleted message is erased. */
const later = (): string => new Date(Date.now() + 8 * 24 * 3_600_000).toISOString();

/**
 * Kills the one-process edition inside of edits, branching, deleting, restoring, queueing, files, projects and erasing, once each; a
 * soak kills it at more points. Each call is repeated with the same ids, as a page does. Resolves with the number of kills and what
 * was lost, doubled or half there.
 */
export async function killInTrees({ isSoak }: { readonly isSoak: boolean }): Promise<TreeOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-trees-'));
  const evidence = new Evidence();
  const provider = new MockProvider(evidence);
  const run = new TreeKills({ folder, evidence, provider: await provider.listen(), port: await freePort(), isSoak });
  try {
    return await run.all();
  } finally {
    await run.close();
    provider.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export type TreeOutcome = { readonly kills: number; readonly problems: readonly string[] };

class TreeKills extends KilledProduct {
  async all(): Promise<TreeOutcome> {
    await this.start();
    const [group] = await foundGroups(this.product.url, this.parts.provider, 0);
    this.client = group!.owner;
    await this.editInTwoTabs();
    const source = await this.aLongTalk();
    await this.branch(source);
    await this.deleteAndRestore(source);
    await killInQueue(this);
    await killWithFiles(this);
    await killInExport(this);
    await killWithImport(this);
    await killWithProjects(this);
    await killWithProjectFiles(this);
    await this.erase(source);
    const seen = [...this.parts.evidence.problems].flatMap(([wrong, all]) => [...all].map((one) => `${wrong}: ${one}`));
    return { kills: this.kills, problems: [...this.problems, ...seen] };
  }

  /** Both send at the same moment, and again and again with the same ids until the server says yes to each. */
  private async editInTwoTabs(): Promise<void> {
    const { client } = this;
    const { evidence } = this.parts;
    const id = newId('conversation');
    const record: ConversationRecord = { id, owner: client, acknowledged: [], retried: [] };
    const tabs = [client, client.copy()].map((own) => new Tab(own, [id], evidence));
    const send = async (own: ParleyClient, question = newQuestion(id, 'short'), more: object = {}) => {
      const { text, serial: _serial, conversationId: _conversation, ...ids } = question;
      const { message, answer } = await untilAccepted(() => own.send(id, text, { ...ids, ...more }));
      record.acknowledged.push({ question, message, answer });
      return answer;
    };
    const first = await send(client);
    await this.untilEnded(id);
    await send(client);
    await this.untilEnded(id);
    for (const tab of tabs) tab.connect();
    for (const point of this.points('person|after|1', 'person|before|1')) {
      const edits = [client, client.copy()].map((own) => [own, newQuestion(id, 'short')] as const);
      this.arm(point);
      const both = Promise.all(edits.map(([own, edit]) => send(own, edit, { parentId: first.id })));
      await this.untilKilled();
      await this.start();
      await both;
      await this.untilEnded(id);
    }
    await this.judgeEdits(record, first.id);
    const fresh = await signInAgain(client);
    const all = await readAll(fresh, record);
    for (const tab of tabs) await judgeTab(evidence, tab.conversation(id), { fresh, all });
    for (const tab of tabs) tab.close();
  }

  private async judgeEdits(record: ConversationRecord, editedUnder: MessageId): Promise<void> {
    const all = await readAll(this.client, record);
    const asked = record.acknowledged.map(({ question }) => question);
    this.same(
      'messages',
      idsOf(all).toSorted(),
      asked.flatMap(({ messageId, answerId }) => [messageId, answerId]).toSorted(),
    );
    this.same(
      'positions',
      all.map(({ position }) => position),
      all.map((_, index) => index + 1),
    );
    for (const { messageId, answerId, serial } of asked) {
      const reading = readAnswer(all.find(({ id }) => id === answerId)?.text ?? '');
      this.same(`the answer to q${serial}`, [reading?.serial, reading?.isWhole], [serial, true]);
      const parentId = serial === asked[0]!.serial ? null : editedUnder;
      this.same(`the parent of q${serial}`, all.find(({ id }) => id === messageId)?.parentId, parentId);
    }
    const params = { conversationId: record.id };
    const { versions, items } = await this.client.call(conversationPath, { params, query: { limit: 100 } });
    const edits = asked.slice(1).map(({ messageId }) => messageId);
    this.same('versions', versions.find(({ parentId }) => parentId === editedUnder)?.ids.toSorted(), edits.toSorted());
    this.same('the open path', items.length, 4);
    const changes = await this.client.call(conversationPath, { params, query: { after: 0, limit: 100 } });
    this.same(
      'changes',
      [...changes.items, ...changes.elsewhere].map(({ id }) => id).toSorted(),
      idsOf(all).toSorted(),
    );
  }

  private async aLongTalk(): Promise<{ id: ConversationId; messages: readonly Message[] }> {
    const id = newId('conversation');
    for (let asked = 1; asked <= questions; asked += 1) {
      await this.client.send(id, `What is said in line ${asked}?`, { model: 'builtin' as never });
      await this.untilEnded(id);
    }
    return { id, messages: await this.path(id) };
  }

  /** Killed with one batch of the copy there; in a soak at its commit and behind it, too, and when nobody knows that all is there. */
  private async branch({ id, messages }: { id: ConversationId; messages: readonly Message[] }): Promise<void> {
    const copyId = newId('conversation');
    const begin = () =>
      this.client.call('POST /api/chat/conversations/:conversationId/branches', {
        params: { conversationId: id },
        body: { id: copyId, messageId: messages.at(-1)!.id, copies: 'path' },
      });
    const isListed = async () => (await this.client.conversations()).filter((one) => one.id === copyId).length;
    for (const point of this.points('person|before|3', 'person|before|1', 'person|after|1')) {
      await this.killIn(point, begin);
      this.same(`the copy after ${point}`, await isListed(), 0);
      this.same('it opens', await statusOf(() => this.path(copyId)), 404);
    }
    if (this.parts.isSoak) await this.killIn('person|after|2', begin);
    await begin();
    this.same('the copy', await isListed(), 1);
    this.same('what it says', wordsOf(await this.path(copyId)), wordsOf(messages));
    this.same('the source', await this.path(id), messages);
  }

  private async deleteAndRestore({
    id,
    messages,
  }: {
    id: ConversationId;
    messages: readonly Message[];
  }): Promise<void> {
    const params = { conversationId: id, messageId: messages[4]!.id };
    const remove = () =>
      this.client.call('DELETE /api/chat/conversations/:conversationId/messages/:messageId', { params });
    const restore = () =>
      this.client.call('POST /api/chat/conversations/:conversationId/messages/:messageId/restore', { params });
    await this.killIn('person|after|1', remove);
    this.same('deleted', idsOf(await this.path(id)), idsOf(messages.slice(0, 4)));
    this.same('deleted once more', (await remove()).leafId, messages[3]!.id);
    await this.killIn('person|before|1', restore);
    this.same('not restored', idsOf(await this.path(id)), idsOf(messages.slice(0, 4)));
    this.same('restored', (await restore()).leafId, messages.at(-1)!.id);
    this.same('all of it', wordsOf(await this.path(id)), wordsOf(messages));
    await remove();
  }

  /** A week later: in its second batch, and behind a batch. */
  private async erase({ id, messages }: { id: ConversationId; messages: readonly Message[] }): Promise<void> {
    await this.product.stop();
    this.product = this.productWith(bothHooks(pointHook(), clockHook(later())));
    for (const point of this.points('job:erases deleted messages|before|2', 'job:erases deleted messages|after|1')) {
      this.arm(point);
      await this.product.start();
      await this.untilKilled();
    }
    await this.start();
    this.client = await signInAgain(this.client);
    this.same('after a week', idsOf(await this.path(id)), idsOf(messages.slice(0, 4)));
    await eventually(
      async () => {
        const { items } = await this.client.messages(id, { limit: 100 });
        if (items.length > 4) throw new Error(`There are ${items.length}.`);
      },
      'all that was deleted should be erased',
      erasedWithinMs,
    );
    await this.product.stop();
    const gone = messages.slice(4).flatMap(({ generation }) => generation?.id ?? []);
    const left = await inStore(
      join(this.parts.folder, 'data'),
      async ({ connection }) => ({
        messages: await connection.collection('messages').countDocuments({ conversationId: id }),
        texts: await connection
          .collection('generations')
          .countDocuments({ _id: { $in: gone as never }, text: { $ne: '' } }),
        deletions: (await connection.collection('conversations').findOne({ _id: id as never }))?.[
          'deletions'
        ] as number,
      }),
      'parley_chat',
    );
    this.same('what is left', left, { messages: 4, texts: 0, deletions: 0 });
  }
}

const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id);
const wordsOf = (messages: readonly Message[]) => messages.map(({ role, text }) => [role, text]);
