import { describe, expect, test } from '@jest/globals';
import type { Rows } from './index.ts';
import { aNote, job, mine, type noteRows } from './rows-of-notes.spec-setup.ts';

/** Tests what lists guarantee page by page. The rows include one of this tenant that is older than all others. */
export function describePages(notes: () => Rows<typeof noteRows>): void {
  describe('pages', () => {
    const byTime = { by: { at: -1 }, to: (row: { _id: string }) => row._id } as const;
    const byId = { by: { _id: 1 }, to: (row: { _id: string }) => row._id } as const;
    const list = (query: { limit: number; cursor?: string }) => notes().within(job.in(mine)).page(query, byTime);

    test.each([1, 2, 3, 7, 50])(
      'pages of %s rows go through all rows once, also those of one moment',
      async (limit) => {
        const ats = [5, 4, 4, 4, 3, 2, 2, 1];
        await notes()
          .within(job.in(mine))
          .insertMany(ats.map((at, index) => aNote(`n${index}`, { at: new Date(at * 1_000) })));
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page: { items: string[]; nextCursor: string | null } = await list({ limit, ...(cursor && { cursor }) });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          seen.push(...page.items);
          cursor = page.nextCursor;
        } while (cursor);
        expect(seen).toEqual(['n0', 'n3', 'n2', 'n1', 'n4', 'n6', 'n5', 'n7', 'mine']);
      },
    );

    test.each<[string, () => Promise<string>]>([
      ['garbage', async () => 'garbage'],
      ['nothing', async () => ''],
      ['another JSON', async () => Buffer.from('{"at":1}').toString('base64url')],
      ['one of another list', async () => (await notes().within(job).page({ limit: 1 }, byId)).nextCursor!],
      [
        'one with other values',
        async () => Buffer.from(JSON.stringify(['notes at-1 _id-1', 'x', 1])).toString('base64url'),
      ],
    ])('refuse a cursor that is %s', async (_case, make) => {
      await expect(list({ limit: 1, cursor: await make() })).rejects.toMatchObject({
        code: 'platform.invalid-request',
        extras: { errors: [{ path: 'query.cursor' }] },
      });
    });
  });
}
