export type StreamMessage = { readonly id: string; readonly event: string; readonly data: string };

/** The messages of a stream of server-sent events until it ends; one that only moves the cursor has no data. */
export async function* messagesOf(response: Response): AsyncGenerator<StreamMessage> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
      yield { id: field('id'), event: field('event'), data: field('data') };
    }
  }
}
