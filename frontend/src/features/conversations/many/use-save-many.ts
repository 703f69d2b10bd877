import type { Conversation } from '@parley/contracts';
import { fetchFile, saveFile } from '../../../lib/download.ts';
import { settleFew } from '../../../lib/settle-few.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { zipOf } from '../../../lib/zip.ts';
import { outcomeOf, useTellOutcome } from './outcome.tsx';

/** The server runs two exports of a person at a time. */
const mostAtOnce = 2;

/**
 * Saves many chats as one ZIP (`docs/reference/export-format.md`), which people can import. Files that are attached
 * to the chats are in it by name only, without their contents. Returns the chats that couldn't be exported.
 */
export function useSaveMany() {
  const orgId = useTab().organisation.id;
  const { t } = useText();
  const tell = useTellOutcome();
  return async (chats: readonly Conversation[]): Promise<readonly Conversation[]> => {
    const results = await settleFew(chats, mostAtOnce, ({ id }) => {
      const call = { orgId, params: { conversationId: id }, query: { as: 'json' as const } };
      return fetchFile('GET /api/chat/conversations/:conversationId/export', call);
    });
    const files = results.flatMap((result, at) => {
      const chat = chats[at];
      return chat && result.status === 'fulfilled'
        ? [{ name: `chats/${chat.id}.json`, bytes: new Uint8Array(result.value) }]
        : [];
    });
    const { left } = outcomeOf(chats, results);
    if (files.length > 0) {
      const exportedAt = new Date().toISOString();
      const about = { format: 'parley-export', version: 1, exportedAt, chats: files.length, files: 0 };
      const index = new TextEncoder().encode(`${JSON.stringify(about, null, 2)}\n`);
      const zip = zipOf([{ name: 'parley-export.json', bytes: index }, ...files]);
      saveFile(`parley-chats-${exportedAt.slice(0, 10)}.zip`, zip.buffer);
    }
    const text =
      left.length === 0
        ? null
        : t(
            {
              id: 'many.done.exported',
              defaultMessage:
                '{count, plural, =0 {No chats were exported.} one {# chat exported.} other {# chats exported.}}',
            },
            { count: files.length },
          );
    return tell({ text, left });
  };
}
