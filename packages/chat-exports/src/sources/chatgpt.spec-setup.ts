type Json = Readonly<Record<string, unknown>>;
export type GptNode = {
  readonly id: string;
  readonly parent: string | null;
  readonly children?: readonly string[];
  readonly message: Json | null;
};
export const second = 1_700_000_000;

/** A message as ChatGPT exports it. */
export const gptMessage = (id: string, role: string, text: string, more: Json = {}): Json => ({
  id,
  author: { role, name: null, metadata: {} },
  create_time: role === 'system' ? null : second,
  update_time: null,
  content: { content_type: 'text', parts: [text] },
  status: 'finished_successfully',
  end_turn: true,
  weight: 1,
  metadata: role === 'assistant' ? { model_slug: 'gpt-5' } : {},
  recipient: 'all',
  channel: null,
  ...more,
});

export const said = (id: string, parent: string | null, role: string, text: string, more: Json = {}): GptNode => ({
  id,
  parent,
  message: gptMessage(id, role, text, more),
});

/** With `children`, as exports up to 2025 have them. */
export const gptConversation = (nodes: readonly GptNode[], more: Json = {}): Json => ({
  title: 'A chat',
  create_time: second,
  update_time: second + 60.5,
  mapping: Object.fromEntries(
    nodes.map((node) => [
      node.id,
      { children: nodes.filter(({ parent }) => parent === node.id).map(({ id }) => id), ...node },
    ]),
  ),
  moderation_results: [],
  current_node: nodes.at(-1)?.id ?? null,
  plugin_ids: null,
  conversation_id: 'conversation-1',
  conversation_template_id: null,
  gizmo_id: null,
  is_archived: false,
  is_starred: null,
  safe_urls: [],
  default_model_slug: 'gpt-4o',
  id: 'conversation-1',
  ...more,
});

const root: GptNode = { id: 'client-created-root', parent: null, message: null };
const system = said('s', 'client-created-root', 'system', '', {
  metadata: { is_visually_hidden_from_conversation: true },
});

/** A question of two versions; the second one's answer used tools and reasoning. */
export const branched: readonly GptNode[] = [
  root,
  system,
  said('q1', 's', 'user', 'First question'),
  said('a1', 'q1', 'assistant', 'First answer'),
  said('q2', 's', 'user', 'Better question'),
  said('t1', 'q2', 'assistant', '', {
    content: { content_type: 'thoughts', thoughts: [{ summary: 'SECRET', content: 'SECRET' }] },
  }),
  said('t2', 't1', 'assistant', 'SECRET search', {
    recipient: 'browser',
    content: { content_type: 'code', language: 'unknown', text: 'search("SECRET")' },
  }),
  said('t3', 't2', 'tool', '', {
    content: { content_type: 'tether_browsing_display', result: 'SECRET', summary: 'SECRET' },
  }),
  said('t4', 't3', 'assistant', '', { content: { content_type: 'reasoning_recap', content: 'SECRET Thought for 8s' } }),
  said('a2', 't4', 'assistant', 'Better answer'),
  said('q3', 'a2', 'user', 'And then?'),
];

/** As exports of 2026 can be: no children, users without metadata, no model but the conversation's. */
export const slim = (more: Json = {}): Json => ({
  title: 'Slim',
  create_time: second,
  update_time: second,
  default_model_slug: 'gpt-5-mini',
  conversation_id: 'slim-1',
  mapping: {
    root: { id: 'root', message: null, parent: null },
    u: {
      id: 'u',
      parent: 'root',
      message: {
        id: 'u',
        author: { role: 'user' },
        create_time: second,
        content: { content_type: 'text', parts: ['Hi'] },
      },
    },
    a: {
      id: 'a',
      parent: 'u',
      message: {
        id: 'a',
        author: { role: 'assistant' },
        create_time: second + 1,
        content: { content_type: 'text', parts: ['Hello'] },
        metadata: {},
      },
    },
  },
  current_node: 'a',
  ...more,
});
