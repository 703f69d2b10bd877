import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ChatNode } from './chat-node.ts';
import { treeOf, type ChatTree } from './tree.ts';

type Short = Partial<ChatNode> & { readonly id: string };
const node = (given: Short): ChatNode => ({
  parentId: null,
  role: 'person',
  text: given.id,
  createdAt: null,
  model: null,
  files: [],
  losses: [],
  ...given,
});
const q = (id: string, parentId: string | null = null, more: Partial<ChatNode> = {}): ChatNode =>
  node({ id, parentId, ...more });
const a = (id: string, parentId: string | null = null, more: Partial<ChatNode> = {}): ChatNode =>
  node({ id, parentId, role: 'assistant', ...more });
const hidden = (id: string, parentId: string | null): ChatNode => node({ id, parentId, role: null, text: 'SECRET' });
const file = (name: string) => ({ name, mediaType: null, ids: [name], content: null });

const tree = (nodes: readonly ChatNode[], openId: string | null = null): ChatTree => {
  const found = treeOf(nodes, openId);
  if ('broken' in found) throw new Error(found.broken);
  return found;
};
const shape = (nodes: readonly ChatNode[]): string[] =>
  tree(nodes).messages.map(
    ({ sourceId, parentId, text }) => `${parentId ?? ''}>${sourceId}:${text.replaceAll('\n\n', '+')}`,
  );

describe('the tree of an imported chat alternates questions and answers', () => {
  test('children of hidden and empty nodes move up', () => {
    expect(shape([hidden('s', null), q('q', 's'), hidden('t', 'q'), a('e', 't', { text: '' }), a('a', 'e')])).toEqual([
      '>q:q',
      'q>a:a',
    ]);
  });

  test('what one side says in a row is one message, under the id of the last', () => {
    expect(shape([q('q'), a('a1', 'q'), a('a2', 'a1'), q('r', 'a2')])).toEqual(['>q:q', 'q>a2:a1+a2', 'a2>r:r']);
  });

  test('questions of Parley itself that follow each other stay apart, as do their ids', () => {
    const whole = { isWhole: true };
    const nodes = [q('q', null, whole), q('r', 'q', whole), q('s', 'q', whole), a('a', 'r', whole), a('b', 'a', whole)];
    expect(shape(nodes)).toEqual(['>q:q', 'q>r:r', 'r>b:a+b', 'q>s:s']);
    expect(tree(nodes, 'q').openId).toBe('s');
  });

  test('where a row forks, each branch has all of the row', () => {
    expect(shape([q('q'), a('p', 'q'), a('x', 'p'), q('r', 'p')])).toEqual(['>q:q', 'q>p:p', 'q>x:p+x', 'p>r:r']);
    expect(shape([q('q'), a('p', 'q'), a('x', 'p'), a('y', 'p')])).toEqual(['>q:q', 'q>x:p+x', 'q>y:p+y']);
  });

  test('an answer at a root gets an empty question, a question without an answer stays', () => {
    expect(shape([a('a'), q('q', 'a')])).toEqual(['>a:question:', 'a:question>a:a', 'a>q:q']);
    expect(shape([q('q')])).toEqual(['>q:q']);
  });

  test('two first questions are two roots, in the order of their times', () => {
    const [early, late] = [new Date(1e12), new Date(2e12)];
    expect(shape([q('late', null, { createdAt: late }), q('early', null, { createdAt: early })])).toEqual([
      '>early:early',
      '>late:late',
    ]);
  });

  test('files of an answer go to the one question that follows, else to its own question', () => {
    const drawn = { files: [file('cat.png')] };
    const filesOf = (nodes: readonly ChatNode[]) =>
      tree(nodes).messages.flatMap(({ sourceId, files }) => files.map(({ name }) => `${sourceId}:${name}`));
    expect(filesOf([q('q'), a('a', 'q', drawn), q('r', 'a')])).toEqual(['r:cat.png']);
    expect(filesOf([q('q'), a('a', 'q', drawn)])).toEqual(['q:cat.png']);
    expect(filesOf([q('q'), a('a', 'q', drawn), q('r1', 'a'), q('r2', 'a')])).toEqual(['q:cat.png']);
    expect(filesOf([a('a', null, drawn)])).toEqual(['a:question:cat.png']);
    expect(tree([q('q'), a('a', 'q', { ...drawn, text: '' })]).messages[1]?.text).toBe('*cat.png*');
  });

  test('more than 20 files and more than 200,000 characters are losses', () => {
    const { messages, losses } = tree([
      q('q', null, { files: Array.from({ length: 22 }, (_, at) => file(`${at}.png`)) }),
      a('a', 'q', { text: 'x'.repeat(200_001) }),
    ]);
    expect(messages[0]?.files).toHaveLength(20);
    expect(messages[1]?.text).toHaveLength(200_000);
    expect(losses).toEqual([
      { messageId: 'a', what: 'text-cut', name: null },
      { messageId: 'q', what: 'too-many-files', name: '20.png' },
      { messageId: 'q', what: 'too-many-files', name: '21.png' },
    ]);
  });

  test('a loss of a hidden or merged node is that of the message it became', () => {
    const losses = [{ what: 'file-not-in-export', name: 'x' }] as const;
    const found = tree([
      q('q'),
      node({ id: 't', parentId: 'q', role: null, losses }),
      a('a1', 't', { losses }),
      a('a2', 'a1'),
    ]);
    expect(found.losses.map(({ messageId }) => messageId)).toEqual(['q', 'a2']);
  });
});

describe('the branch that was open', () => {
  const nodes = [q('q'), a('a', 'q'), hidden('t', 'a'), q('r1', 'a'), q('r2', 'a')];
  test.each([
    ['r1', 'r1'],
    ['t', 'r2'],
    ['q', 'r2'],
    ['gone', null],
    [null, null],
  ])('%s opens at %s', (open, expected) => {
    expect(tree(nodes, open).openId).toBe(expected);
  });
});

describe('damaged trees', () => {
  test('orphans and dangling parents begin a path of their own', () => {
    expect(shape([q('q', 'gone'), a('a', 'q'), q('r', 'r')])).toEqual(['>q:q', 'q>a:a', '>r:r']);
  });

  test('a child that names no parent belongs to the node that names it', () => {
    expect(shape([q('q', null, { childIds: ['a', 'gone'] }), a('a', null)])).toEqual(['>q:q', 'q>a:a']);
  });

  test('parents can come after their children', () => {
    expect(shape([a('a', 'q'), q('q')])).toEqual(['>q:q', 'q>a:a']);
  });

  test('the same node twice is one, another one with its id is kept', () => {
    expect(shape([q('q'), a('a', 'q'), a('a', 'q'), a('a', 'q', { text: 'other' })])).toEqual([
      '>q:q',
      'q>a:a',
      'q>a~2:other',
    ]);
  });

  test('a cycle beside a root is cut, a chat that is one cycle is broken', () => {
    expect(shape([q('q'), q('x', 'y'), a('y', 'x')])).toEqual(['>q:q', '>x:x', 'x>y:y']);
    expect(treeOf([q('x', 'y'), a('y', 'x')], null)).toEqual({ broken: 'cycle' });
  });

  test('a chat without a visible message is broken', () => {
    expect(treeOf([hidden('s', null)], null)).toEqual({ broken: 'no-messages' });
    expect(treeOf([], null)).toEqual({ broken: 'no-messages' });
  });

  test('100,000 levels and 100,000 siblings need no stack', () => {
    const deep = Array.from({ length: 100_000 }, (_, at) => (at % 2 ? a : q)(`${at}`, at === 0 ? null : `${at - 1}`));
    expect(tree(deep).messages).toHaveLength(100_000);
    const wide = [q('q'), ...Array.from({ length: 100_000 }, (_, at) => a(`a${at}`, 'q'))];
    expect(tree(wide).messages).toHaveLength(100_001);
  });

  test('rows that fork at each message are too large before they are written', () => {
    const nodes = Array.from({ length: 10_000 }, (_, at) => [
      a(`a${at}`, at === 0 ? null : `a${at - 1}`, { text: 'x'.repeat(1_000) }),
      q(`q${at}`, `a${at}`),
    ]).flat();
    expect(treeOf(nodes, null)).toEqual({ broken: 'too-large' });
  });

  const wild = fc.array(
    fc.record({
      id: fc.nat(12).map(String),
      parentId: fc.option(fc.nat(14).map(String)),
      role: fc.constantFrom('person', 'assistant', null),
      isEmpty: fc.boolean(),
      createdAt: fc.option(fc.nat(5).map((at) => new Date(1e12 + at))),
    }),
    { maxLength: 14 },
  );
  const nodesOf = (given: typeof wild extends fc.Arbitrary<infer Value> ? Value : never): ChatNode[] =>
    given.map(({ isEmpty, ...each }, at) => node({ ...each, text: isEmpty ? '' : `[${at}]` }));

  test('whatever the tree: it alternates, parents come first, ids are distinct, and each visible text is there', () => {
    fc.assert(
      fc.property(wild, (given) => {
        const nodes = nodesOf(given);
        const found = treeOf(nodes, given[0]?.id ?? null);
        if ('broken' in found) return;
        const { messages, openId } = found;
        const byId = new Map<string, (typeof messages)[number]>();
        for (const message of messages) {
          const { parentId, role, sourceId } = message;
          expect(byId.has(sourceId)).toBe(false);
          const above = parentId === null ? 'assistant' : byId.get(parentId)?.role;
          expect(above).toBe(role === 'person' ? 'assistant' : 'person');
          byId.set(sourceId, message);
        }
        const parents = new Set(messages.map(({ parentId }) => parentId));
        if (openId !== null) expect(parents.has(openId)).toBe(false);
        const seen = new Set<string>();
        for (const leaf of messages) {
          if (parents.has(leaf.sourceId)) continue;
          const path: string[] = [];
          for (let at = byId.get(leaf.sourceId); at; at = byId.get(at.parentId ?? '')) path.push(at.text);
          const onPath = path.join('+').match(/\[\d+\]/g) ?? [];
          expect(new Set(onPath).size).toBe(onPath.length);
          for (const text of onPath) seen.add(text);
        }
        for (const { role, text } of nodes) if (role !== null && text !== '') expect(seen).toContain(text);
      }),
      { numRuns: 500, seed: 36 },
    );
  });

  test('the order of the nodes changes nothing where times tell it', () => {
    const nodes = [
      q('q', null, { createdAt: new Date(1e12) }),
      a('a1', 'q', { createdAt: new Date(1e12 + 1) }),
      a('a2', 'q', { createdAt: new Date(1e12 + 2) }),
      q('r', 'a1', { createdAt: new Date(1e12 + 3) }),
      q('s', 'a2', { createdAt: new Date(1e12 + 4) }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(nodes, { minLength: nodes.length }), (shuffled) => {
        expect(tree(shuffled)).toEqual(tree(nodes));
      }),
    );
  });
});
