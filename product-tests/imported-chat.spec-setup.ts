import { expect } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';

/** Imports one chat of ChatGPT with these ids in the export, and returns its texts. */
export async function importedTexts(
  person: ParleyClient,
  { chat, message }: { readonly chat: string; readonly message: string },
): Promise<string[]> {
  const nodeOf = (id: string, role: string, text: string, parent: string | null, children: readonly string[]) => ({
    id,
    parent,
    children,
    message: { id, author: { role }, create_time: 1, content: { content_type: 'text', parts: [text] } },
  });
  const mapping = {
    [message]: nodeOf(message, 'user', 'When do herons come?', null, ['answer']),
    answer: nodeOf('answer', 'assistant', 'In March.', message, []),
  };
  const one = {
    title: 'Herons',
    conversation_id: chat,
    create_time: 1,
    update_time: 1,
    current_node: 'answer',
    mapping,
  };
  const file = JSON.stringify([one]);
  const importId = newId('import');
  const params = { importId };
  const until = (wanted: string) =>
    eventually(async () => {
      const found = await person.call('GET /api/chat/imports/:importId', { params });
      expect(found.status).toBe(wanted);
    }, `the import should be ${wanted}`);
  const files = [{ name: 'conversations.json', bytes: Buffer.byteLength(file) }];
  await person.call('POST /api/chat/imports', { body: { id: importId, files } });
  await person.sendImportPart({ importId, number: 1, part: 1 }, file);
  await person.call('POST /api/chat/imports/:importId/check', { params });
  await until('checked');
  await person.call('POST /api/chat/imports/:importId/start', { params, body: { again: false } });
  await until('done');
  const [conversation] = await person.conversations();
  return (await person.messages(conversation!.id)).items.map(({ text }) => text);
}
