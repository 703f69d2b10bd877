import type { AskedFile, GenerationFrame } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { LiveSocket, ParleyClient } from './parley-client.ts';

/** Asks in a new chat; resolves with the first word of the answer in the tab that has this socket. */
export async function firstToken(
  client: ParleyClient,
  socket: LiveSocket,
  { text, withinMs, files = [] }: { readonly text: string; readonly withinMs: number; readonly files?: AskedFile[] },
): Promise<void> {
  const conversationId = newId('conversation');
  const generationId = newId('generation');
  const { promise, resolve } = Promise.withResolvers<void>();
  const hear = ([id, , , , delta]: GenerationFrame): void => void (id === generationId && delta !== '' && resolve());
  socket.on('generation.frame', hear);
  try {
    await client.send(conversationId, text, { generationId, files });
    const ack = await socket.timeout(withinMs).emitWithAck('conversation.open', { conversationId });
    if (!ack.ok) throw new Error(`conversation.open: ${ack.problem.code}`);
    if (ack.generationId === null) return; // It has ended already: all of it can be read.
    await promise;
  } finally {
    socket.off('generation.frame', hear);
    socket.emit('conversation.close', { conversationId });
  }
}
