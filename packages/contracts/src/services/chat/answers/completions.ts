import { defineRoute, patience } from '@parley/protocol';
import { z } from 'zod';
import { limits } from '../../../limits/sizes.ts';
import { chunkId, completionId, documentId } from '../../../ids.ts';
import { longestInstructions } from '../assistants/chatbots.ts';
import { passageLocation } from '../knowledge/documents.ts';

/**
 * The requests and responses of OpenAI's clients (https://platform.openai.com/docs/api-reference/chat). A model is a
 * chatbot of the organisation, and the chatbot's id is its name.
 */
const mostMessages = 1_000;
const longestAnswer = 200_000;
const mostStops = 4;
/** The beginning of the error message about a known parameter that Parley doesn't offer. */
export const notOffered = 'is not supported';
/**
 * The beginning of the error message about a message that is too long. LiteLLM recognises these words, not the code,
 * and then asks a model with a larger context.
 */
export const tooLongToRead = "is longer than the model's context length";
const tooLong = (most: number) => ({ error: `${tooLongToRead}: it has more than ${most} characters` });

const refused = (what: string) => z.null({ error: `${notOffered}: ${what}` }).optional();
const ignored = z.unknown().optional().describe('Accepted and ignored.');

/**
 * A list of at most `most` items. Items beyond are cut off before validation: a body of the allowed size can hold
 * millions, each with an error of its own.
 */
const listOf = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess((given) => (Array.isArray(given) ? given.slice(0, most + 1) : given), z.array(item).min(1).max(most));

const part = z.looseObject({ type: z.literal('text'), text: z.string() });
/** The most images in one request. */
export const mostCompletionImages = 20;
const dataUrl = /^data:image\/(png|jpeg|webp|gif|avif);base64,/;
const onlyDataUrls = `${notOffered}: only data URLs are accepted, as data:image/png;base64,… (PNG, JPEG, WebP, GIF or AVIF)`;
const imagePart = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({
    url: z
      .string()
      .refine((url) => dataUrl.test(url), { error: onlyDataUrls })
      .describe('A data URL with base64 of a PNG, JPEG, WebP, GIF or AVIF.'),
    detail: z.enum(['auto', 'low', 'high']).nullish().describe('Accepted and ignored.'),
  }),
});
export type CompletionImage = z.infer<typeof imagePart>;
const isAtMost = (most: number) => (parts: readonly (z.infer<typeof part> | CompletionImage)[]) =>
  parts.reduce((sum, one) => sum + (one.type === 'text' ? one.text.length : 0), 0) <= most;
/** The content of a message: a text, or a list of texts. */
const content = (most: number) =>
  z.union([z.string().max(most, tooLong(most)), listOf(part, mostMessages).refine(isAtMost(most), tooLong(most))], {
    error: `${notOffered}: a message is a text of at most ${most} characters, or parts of the type text; no image, audio or file`,
  });
/** The same as `content`, but parts can also be images. */
const questionContent = z.union(
  [
    z.string().max(limits.messageCharacters, tooLong(limits.messageCharacters)),
    listOf(z.discriminatedUnion('type', [part, imagePart]), mostMessages).refine(
      isAtMost(limits.messageCharacters),
      tooLong(limits.messageCharacters),
    ),
  ],
  {
    error: `${notOffered}: a question is a text of at most ${limits.messageCharacters} characters, or parts of the types text and image_url; no audio or file`,
  },
);
const name = z.string().max(100).nullish();
const told = z.strictObject({
  role: z.enum(['system', 'developer']),
  content: content(longestInstructions).describe('Told to the model after what its maker has told the chatbot.'),
  name,
});
const asked = z.strictObject({ role: z.literal('user'), content: questionContent, name });
const answered = z.looseObject({
  role: z.literal('assistant'),
  content: content(longestAnswer),
  tool_calls: refused('tools'),
  function_call: refused('tools'),
  audio: refused('audio'),
});
export const completionMessage = z.discriminatedUnion('role', [told, asked, answered], {
  error: `${notOffered}: a message is of the role system, developer, user or assistant`,
});
export type CompletionMessage = z.infer<typeof completionMessage>;

function isQuestion(message: CompletionMessage | undefined): boolean {
  if (message?.role !== 'user') return false;
  const { content: said } = message;
  if (typeof said === 'string') return said.trim() !== '';
  return said.some((one) => one.type === 'image_url' || one.text.trim() !== '');
}

/** Returns the images of a message in order. */
export const imagesIn = ({ role, content: said }: CompletionMessage): CompletionImage[] =>
  role === 'user' && typeof said !== 'string' ? said.filter((one) => one.type === 'image_url') : [];

const hasFewImages = (messages: readonly CompletionMessage[]): boolean =>
  messages.reduce((sum, message) => sum + imagesIn(message).length, 0) <= mostCompletionImages;

/** Lists the parameters that are used, ignored and refused. Any other parameter is refused as unknown. */
export const completionRequest = z.strictObject({
  model: z.string().min(1).max(100).describe('The id of a chatbot, as `GET /v1/models` lists it.'),
  messages: listOf(completionMessage, mostMessages)
    .refine(hasFewImages, { error: `has more than ${mostCompletionImages} images` })
    .refine((messages) => isQuestion(messages.at(-1)), { error: 'must end with a question of the role user' })
    .describe('The last one is a question of the role user.'),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish().describe("Instead of the chatbot's own."),
  max_completion_tokens: z.int().min(1).max(1_000_000).nullish(),
  max_tokens: z.int().min(1).max(1_000_000).nullish().describe('The older name of max_completion_tokens.'),
  stop: z
    .union([
      z.string().min(1).max(100),
      z.preprocess(
        (given) => (Array.isArray(given) ? given.slice(0, mostStops + 1) : given),
        z.array(z.string().min(1).max(100)).max(mostStops),
      ),
    ])
    .nullish(),
  n: z.literal(1, { error: `${notOffered}: one answer is written` }).nullish(),
  response_format: z.looseObject({ type: z.literal('text', { error: `${notOffered}: answers are text` }) }).nullish(),
  modalities: z.tuple([z.literal('text')], { error: `${notOffered}: answers are text` }).nullish(),
  logprobs: z.literal(false, { error: notOffered }).nullish(),
  top_logprobs: refused('probabilities'),
  logit_bias: refused('probabilities'),
  tools: refused('tools'),
  tool_choice: refused('tools'),
  functions: refused('tools'),
  function_call: refused('tools'),
  audio: refused('audio'),
  web_search_options: refused('a chatbot searches in what its maker has connected'),
  top_p: ignored,
  presence_penalty: ignored,
  frequency_penalty: ignored,
  seed: ignored,
  user: ignored,
  safety_identifier: ignored,
  prompt_cache_key: ignored,
  prompt_cache_retention: ignored,
  metadata: ignored,
  store: ignored,
  service_tier: ignored,
  parallel_tool_calls: ignored,
  prediction: ignored,
  reasoning_effort: ignored,
  verbosity: ignored,
});
export type CompletionRequest = z.infer<typeof completionRequest>;

/** Parley's addition: the source of `[number]` in the text. `GET /api/chat/passages/{passage_id}` returns it. */
export const completionCitation = z.strictObject({
  number: z.int(),
  document_id: documentId,
  passage_id: chunkId,
  title: z.string(),
  heading: z.string().nullable(),
  /** The passage's location in its document; missing if the document has no pages or sections. */
  place: passageLocation.optional(),
  /** True for a curated answer, which the organisation wrote for this question. The ids then refer to nothing. */
  curated: z.boolean(),
});

const usageOfCompletion = z.strictObject({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.strictObject({ cached_tokens: z.int() }),
});
const finishReason = z.enum(['stop', 'length']);
const head = { id: completionId, created: z.int(), model: z.string() };

export const completion = z.strictObject({
  ...head,
  object: z.literal('chat.completion'),
  choices: z.array(
    z.strictObject({
      index: z.literal(0),
      message: z.strictObject({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
      logprobs: z.null(),
      finish_reason: finishReason,
    }),
  ),
  usage: usageOfCompletion,
  citations: z.array(completionCitation),
});
export type Completion = z.infer<typeof completion>;

/** A piece of a streamed answer: `data` of a server-sent event. `[DONE]` ends the stream. */
export const completionChunk = z.strictObject({
  ...head,
  object: z.literal('chat.completion.chunk'),
  choices: z.array(
    z.strictObject({
      index: z.literal(0),
      delta: z.strictObject({ role: z.literal('assistant').optional(), content: z.string().optional() }),
      logprobs: z.null(),
      finish_reason: finishReason.nullable(),
    }),
  ),
  /** Present only with `stream_options.include_usage`: null except in the last chunk, which has no choice. */
  usage: usageOfCompletion.nullable().optional(),
  /** Present only in the chunk that ends the text. */
  citations: z.array(completionCitation).optional(),
});
export type CompletionChunk = z.infer<typeof completionChunk>;

export const completionModel = z.strictObject({
  id: z.string(),
  object: z.literal('model'),
  /** When the chatbot's version was published, in seconds since 1970; 0 for an unchanged default chatbot. */
  created: z.int(),
  owned_by: z.string(),
  /** Parley's addition: the chatbot's name. */
  name: z.string(),
});
export type CompletionModel = z.infer<typeof completionModel>;

/** A long time limit, because API clients have time-outs of their own. */
const patienceMs = patience.long;
const forPrograms = { service: 'chat', scope: 'organisation', errors: 'openai', patienceMs } as const;

/** Lists the chatbots that the caller can use, the default one first. */
export const listCompletionModels = defineRoute({
  ...forPrograms,
  route: 'GET /v1/models',
  permission: 'model:use',
  cost: 'read',
  response: z.strictObject({ object: z.literal('list'), data: z.array(completionModel) }),
});

/** Returns a chatbot. `chat.chatbot-not-found` if it doesn't exist or the caller can't use it. */
export const getCompletionModel = defineRoute({
  ...forPrograms,
  route: 'GET /v1/models/:model',
  permission: 'model:use',
  cost: 'read',
  params: z.strictObject({ model: z.string() }),
  response: completionModel,
});

/**
 * Answers with a published chatbot; the question is in no list of chats. It counts towards the caller's budgets and
 * searches what the caller can read, like any question. Closing the connection stops the answer, and its usage is
 * billed. Images are kept as files of the caller as long as the question. With images: 422 `chat.images-not-accepted`
 * and `chat.file-unreadable`, 413 `chat.image-too-large` and `chat.storage-quota-reached`. 429 `platform.rate-limited`
 * says how many seconds to wait: the person has as many questions running as allowed, running answers reserve the rest
 * of a budget, or the model server takes no more.
 */
export const createCompletion = defineRoute({
  ...forPrograms,
  route: 'POST /v1/chat/completions',
  permission: 'chat:create',
  cost: 'question',
  body: completionRequest,
  jsonBodyLimit: limits.completionJsonBytes,
  atOnce: {
    person: 80,
    organisation: 400,
    key: 40,
    bytes: 200_000_000,
    why: 'It is open for as long as its answer is written, and its body can have 20 MB.',
  },
  response: completion,
  /** With `stream`. */
  stream: 'text/event-stream',
  /** Covers the longest run of an answer, because an answer that isn't streamed comes in one piece at its end. */
  patienceMs: 1_800_000,
});

/** Returns `/v1` as OpenAPI 3.1. Public: it is the same in every installation of this version. */
export const getOpenApi = defineRoute({
  service: 'chat',
  route: 'GET /v1/openapi.json',
  scope: 'public',
  cost: 'read',
  patienceMs,
  response: z.record(z.string(), z.unknown()),
});

export const completionRoutes = { listCompletionModels, getCompletionModel, createCompletion, getOpenApi };
