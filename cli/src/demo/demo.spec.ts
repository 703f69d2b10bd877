import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { password, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillDemo } from './demo.ts';

const root = join(import.meta.dirname, '../../..');
const data = mkdtempSync(join(tmpdir(), 'parley-demo-'));
let lines: string[];
let running: TestParley | undefined;
let admin: ParleyClient;

beforeAll(async () => {
  lines = await fillDemo({ data, password }, () => undefined);
  running = await startTestParley({}, { folder: data });
  admin = new ParleyClient(running.url);
  await admin.signIn('robin@brightwater.example', password);
  const { items } = await admin.call('GET /api/org/organisations');
  admin.orgId = items.find(({ slug }) => slug === 'brightwater')!.id;
}, 240_000);
afterAll(async () => {
  await running?.close();
  rmSync(data, { recursive: true });
});

const messagesOf = async (title: string) => {
  const chat = (await admin.conversations()).find((one) => one.title === title);
  return (await admin.messages(chat?.id as ConversationId)).items;
};

describe('a filled installation', () => {
  test('is what the command says of it', async () => {
    expect(lines[0]).toMatch(/3 organisations, 40 people, \d{3} answers of the last 30 days/);
    expect(lines.join('\n')).toContain(`Sign in as robin@brightwater.example with the password ${password}`);
    const { items } = await admin.call('GET /api/org/organisations');
    const members = await Promise.all(
      items.map(({ id: orgId }) => admin.call('GET /api/org/members', { query: { limit: 100 }, orgId })),
    );
    expect([items.length, new Set(members.flatMap((page) => page.items.map(({ email }) => email))).size]).toEqual([
      3, 40,
    ]);
  });

  test('has a chat with two answers to one question, and one with a file', async () => {
    const answers = (await messagesOf('Boots that do not fit')).filter(({ role }) => role === 'assistant');
    expect(new Set(answers.map(({ parentId }) => parentId)).size).toBe(answers.length - 1);
    const cited = answers.flatMap(({ citations }) => citations.map(({ documentName }) => documentName));
    expect(cited).toContain('Returns and warranty.md');
    const [question] = (await messagesOf('Orders by country, October')).filter(({ files }) => files?.length === 1);
    expect(question?.files?.[0]).toMatchObject({ name: 'orders-by-country.csv', use: 'whole' });
  });

  test('has projects, and documents that are found', async () => {
    const { items } = await admin.call('GET /api/chat/projects');
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['Autumn range', 'Warehouse move']));
    const { passages } = await admin.call('POST /api/chat/search-tests', {
      body: { text: 'Who pays for a broken tent pole?' },
    });
    expect(passages.map(({ documentName }) => documentName)).toContain('Returns and warranty.md');
  });

  test('has feedback that waits, feedback that was answered, and budgets with what was spent', async () => {
    const { items, open } = await admin.call('GET /api/chat/feedback', { query: { state: 'all' } });
    expect(open).toBeGreaterThan(0);
    expect(items.some(({ isAnswered }) => isAnswered)).toBe(true);
    await eventually(async () => {
      const { items: budgets, currency } = await admin.call('GET /api/billing/budgets');
      expect([currency, budgets.some(({ scope, spent }) => scope.kind === 'organisation' && spent! > 0)]).toEqual([
        'EUR',
        true,
      ]);
    }, 'billing should have counted');
  });

  test('shows use on the last 30 days', async () => {
    await eventually(async () => {
      const { starts, all } = await admin.call('GET /api/monitoring/metrics', {
        query: { span: 'month', by: 'model' },
      });
      const used = all.filter(({ attempts }) => attempts > 0);
      expect(starts).toHaveLength(30);
      // At least 20 of 30 days are workdays.
      expect(used.length).toBeGreaterThanOrEqual(20);
      expect(Math.max(...used.map(({ firstTokenP50Ms }) => firstTokenP50Ms!))).toBeLessThan(3_000);
    }, 'monitoring should have counted');
  });
});

describe('the demo', () => {
  test('refuses a folder that holds data', async () => {
    const used = mkdtempSync(join(tmpdir(), 'parley-demo-'));
    const parley = await startTestParley({}, { folder: used });
    await new ParleyClient(parley.url).register({ name: 'Ines Vardale', email: 'ines@vardale.example', password });
    await parley.close();
    await expect(fillDemo({ data: used }, () => undefined)).rejects.toThrow('holds data: give an empty folder');
    rmSync(used, { recursive: true });
  });

  test('refuses a folder whose demo was killed before it was complete', async () => {
    const half = mkdtempSync(join(tmpdir(), 'parley-demo-'));
    const source = ['--conditions=parley-source', '--import', join(root, 'packages/tooling/src/register.mjs')];
    const child = spawn(process.execPath, [...source, join(root, 'cli/src/cli.ts'), 'demo', '--data', half]);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    const again = fillDemo({ data: half }, () => undefined);
    await expect(again).rejects.toThrow('was ended before it was complete: delete this folder');
    rmSync(half, { recursive: true });
  });

  test('refuses a password that is too short to register with', async () => {
    await expect(fillDemo({ data, password: 'short' }, () => undefined)).rejects.toThrow('give one of 12 characters');
  });
});
