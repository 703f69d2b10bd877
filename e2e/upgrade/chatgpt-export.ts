/** A chat as ChatGPT exports it. */
export type ExportedChat = { readonly title: string; readonly texts: readonly string[] };

/** Says `count` things in turn, each with the chat's title in it. */
export const chatty = (title: string, count: number): ExportedChat => ({
  title,
  texts: Array.from({ length: count }, (_none, at) => `${title} needs ${at + 1} planks.`),
});

/** The `conversations.json` of these chats, one line each. */
export const exportOf = (chats: readonly ExportedChat[]): string => JSON.stringify(chats.map(conversationOf));

function conversationOf({ title, texts }: ExportedChat) {
  const idOf = (at: number) => `${title}-${at}`;
  const messageOf = (text: string, at: number) => ({
    id: idOf(at),
    parent: at === 0 ? null : idOf(at - 1),
    children: at === texts.length - 1 ? [] : [idOf(at + 1)],
    message: {
      id: idOf(at),
      author: { role: at % 2 === 0 ? 'user' : 'assistant' },
      create_time: 1_700_000_000 + at,
      content: { content_type: 'text', parts: [text] },
    },
  });
  return {
    title,
    conversation_id: title,
    create_time: 1_700_000_000,
    update_time: 1_700_000_000,
    current_node: idOf(texts.length - 1),
    mapping: Object.fromEntries(texts.map((text, at) => [idOf(at), messageOf(text, at)])),
  };
}
