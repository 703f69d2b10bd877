import { describe, expect, test } from '@jest/globals';
import { plant } from './plant.ts';

const source = `
import { rows } from './rows.ts';

export class Notes {
  constructor(@Inject() private readonly clock: Clock) {}

  async find(scope: Scope, id: NoteId): Promise<Note | null> {
    return rows.within(scope).findOne({ _id: id, status: 'open', version: 1 });
  }

  async close(scope: Scope, id: NoteId, tx: Transaction): Promise<void> {
    checkPermission(scope);
    await rows.within(scope, tx).change({ _id: id }, { $set: { status: 'closed' } });
    while (id) if (!(await this.find(scope, id))) break;
  }

  async remove(scope: Scope, id: NoteId): Promise<void> {
    checkPermission(scope);
    await rows.within(scope).delete({ _id: id });
  }
}
`;

const change = (find: string, put: string, within: string | null = null) => ({ file: 'notes.ts', within, find, put });

describe('what a fault changes', () => {
  test.each([
    ['an expression', "{ _id: id, status: 'open', version: 1 }", '{ _id: id }', 'findOne(({ _id: id }))'],
    ['a property', "status: 'open'", "status: 'closed'", "findOne({ _id: id, status: 'closed', version: 1 })"],
    ['a statement that leaves a loop', 'if (!(await this.find(scope, id))) break;', '', 'while (id) ;'],
    ['an operand', 'rows.within(scope, tx)', 'a ?? b', 'await (a ?? b).change('],
  ])('%s', (_kind, find, put, expected) => {
    expect(plant(source, change(find, put))).toContain(expected);
  });

  test('a statement that is there twice, in the method that the fault names', () => {
    const planted = plant(source, change('checkPermission(scope);', '', 'remove'));
    expect(planted.split('checkPermission(scope);').length).toBe(2);
    expect(planted.indexOf('checkPermission(scope);')).toBeLessThan(planted.indexOf('async remove'));
  });
});

describe('how the file is written does not matter', () => {
  test.each([
    ['line breaks and a trailing comma', "{\n  _id: id,\n  status:\n    'open',\n  version: 1,\n}"],
    ['quotes', '{ _id: id, status: "open", version: 1 }'],
    ['comments', "{ _id: /* its own */ id, status: 'open', // not closed\n version: 1 }"],
    ['brackets', "{ _id: (id), status: ('open'), version: 1 }"],
  ])('%s', (_what, written) => {
    const find = "{ _id: id, status: 'open', version: 1 }";
    expect(plant(source.replace(find, written), change(find, '{}'))).toContain('findOne(({}))');
  });

  test('a pattern with another meaning fits no file', () => {
    const find = "{ _id: id, status: 'open', version: 2 }";
    expect(() => plant(source, change(find, '{}'))).toThrow('found 0 times');
  });
});

describe('what fits no file', () => {
  test.each([
    ['nothing', 'checkPermission(scope, id);', '', null, 'found 0 times'],
    ['two places', 'checkPermission(scope);', '', null, 'found 2 times'],
    ['nothing within the method', 'checkPermission(scope);', '', 'find', 'found 0 times'],
    ['a pattern of two statements', 'one(); two();', '', null, 'is not one expression'],
    ['a replacement of another kind', 'rows.within(scope, tx)', 'if (tx) return;', null, 'Unexpected token'],
    ['a replacement that is no code', 'checkPermission(scope);', 'checkPermission(', 'close', 'Unexpected token'],
  ])('%s', (_what, find, put, within, reason) => {
    expect(() => plant(source, change(find, put, within))).toThrow(reason);
  });

  test('a file that would no longer parse', () => {
    expect(() => plant('import { rows } from "./rows.ts";', change('rows', 'a + b'))).toThrow();
  });
});
