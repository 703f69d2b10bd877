/** One answer as a stand-in of a model server streams it. */
export type StandInAnswer = {
  readonly thoughts?: readonly string[];
  readonly words: readonly string[];
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
  /** Stopped by its limit of tokens. */
  readonly isCut?: boolean;
};

/** The parts of a stream, each an event: `begin`, what it thinks and says, and `end`. */
export type StandInStream = { readonly begin: string; readonly said: readonly string[]; readonly end: string };

export const wholeOf = ({ begin, said, end }: StandInStream): string => [begin, ...said, end].join('');

const event = (data: { readonly type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** As published for Anthropic's Messages API: https://docs.claude.com/en/docs/build-with-claude/streaming */
export function anthropicStream(answer: StandInAnswer): StandInStream {
  const { thoughts = [], words, inputTokens = 11, outputTokens = 2, cachedTokens = 0, isCut = false } = answer;
  const usage = {
    input_tokens: inputTokens - cachedTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cachedTokens,
    output_tokens: 1,
  };
  const message = {
    id: 'msg_01',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'claude-sonnet-4-5',
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const delta = (index: number, told: object) => event({ type: 'content_block_delta', index, delta: told } as never);
  const block = (index: number, content_block: object, deltas: readonly string[]) =>
    [
      event({ type: 'content_block_start', index, content_block } as never),
      ...deltas,
      event({ type: 'content_block_stop', index } as never),
    ] as const;
  const thinking = thoughts.map((one) => delta(0, { type: 'thinking_delta', thinking: one }));
  const signature = delta(0, { type: 'signature_delta', signature: 'c2lnbmVk' });
  const index = thoughts.length > 0 ? 1 : 0;
  const text = words.map((one) => delta(index, { type: 'text_delta', text: one }));
  return {
    begin: event({ type: 'message_start', message } as never) + event({ type: 'ping' }),
    said: [
      ...(thoughts.length > 0
        ? block(0, { type: 'thinking', thinking: '', signature: '' }, [...thinking, signature])
        : []),
      ...block(index, { type: 'text', text: '' }, text),
    ],
    end:
      event({
        type: 'message_delta',
        delta: { stop_reason: isCut ? 'max_tokens' : 'end_turn', stop_sequence: null },
        usage: { output_tokens: outputTokens },
      } as never) + event({ type: 'message_stop' }),
  };
}

/** An error in mid-stream, and the body of a refusal. */
export const anthropicError = (type: string, message: string): string =>
  JSON.stringify({ type: 'error', error: { type, message } });
export const anthropicErrorEvent = (type: string, message: string): string =>
  `event: error\ndata: ${anthropicError(type, message)}\n\n`;

/** As published for Google's `streamGenerateContent`: https://ai.google.dev/api/generate-content */
export function googleStream(answer: StandInAnswer): StandInStream {
  const { thoughts = [], words, inputTokens = 11, outputTokens = 2, cachedTokens = 0, isCut = false } = answer;
  const chunk = (parts: readonly object[], more: object = {}, counts: object = {}) =>
    `data: ${JSON.stringify({
      candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
      usageMetadata: { promptTokenCount: inputTokens, totalTokenCount: inputTokens, ...counts },
      modelVersion: 'gemini-2.5-flash',
      responseId: 'r1',
    })}\r\n\r\n`;
  const thoughtsTokenCount = thoughts.length;
  const counts = {
    candidatesTokenCount: outputTokens - thoughtsTokenCount,
    totalTokenCount: inputTokens + outputTokens,
    ...(thoughtsTokenCount > 0 && { thoughtsTokenCount }),
    ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
  };
  return {
    begin: '',
    said: [...thoughts.map((text) => chunk([{ text, thought: true }])), ...words.map((text) => chunk([{ text }]))],
    end: chunk([{ text: '' }], { finishReason: isCut ? 'MAX_TOKENS' : 'STOP' }, counts),
  };
}

/** The body of a refusal, and an error in mid-stream as data of an event. */
export const googleError = (code: number, status: string, message: string): string =>
  JSON.stringify({ error: { code, message, status } });
