import { quotaLimits } from '@parley/contracts';
import type { TurnBounds } from '@parley/platform/fair-turns';
import { outboundAllow } from '@parley/platform/outbound';
import { z } from 'zod';

const gigabyte = 1_000_000_000;
const units = { MB: 1_000_000, GB: gigabyte } as const;

/** A size as people write it, such as `2GB` or `500MB`, in bytes. */
const size = (smallest: number, largest: number) =>
  z
    .string()
    .regex(/^\d+(\.\d+)?\s?(MB|GB)$/, 'must be a size such as 2GB or 500MB')
    .transform((text) => Math.round(Number.parseFloat(text) * units[text.slice(-2) as keyof typeof units]))
    .refine((bytes) => bytes >= smallest && bytes <= largest, 'must be from 1MB to 100GB');

/** What chat reads from its surroundings. */
export const chatConfig = z.object({
  PARLEY_OUTBOUND_ALLOW: outboundAllow,
  OPENAI_API_KEY: z.string().optional().describe('Offered to platform admins as a provider, secret.'),
  OPENAI_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where that provider is, if not at OpenAI.'),
  PARLEY_WORKER_SLOTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(2_000)
    .default(200)
    .describe('Answers that a worker writes at the same time; each takes memory for its conversation and its text.'),
  PARLEY_SLOTS_OF_A_FLOW: z.coerce
    .number()
    .int()
    .min(1)
    .max(2_000)
    .optional()
    .describe(
      'Of these slots, how many one approved organisation can have, or all that are not approved together; without it half.',
    ),
  PARLEY_SLOTS_OF_A_PERSON: z.coerce
    .number()
    .int()
    .min(1)
    .max(2_000)
    .optional()
    .describe('Most of these slots that one person can have; a tenth by default.'),
  PARLEY_ANSWER_DEADLINE_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(86_400_000)
    .default(1_800_000)
    .describe('How long an answer may be written; then it ends as failed and keeps its text.'),
  PARLEY_STORAGE_PER_ORGANISATION_GB: z.coerce
    .number()
    .min(0.001)
    .max(quotaLimits.storage.highest / gigabyte)
    .default(quotaLimits.storage.ceiling / gigabyte)
    .describe(
      'Storage quota of an organisation: files, texts of passages and embeddings; `parley limits set` sets that of one.',
    ),
  PARLEY_IMPORT_MAX: size(units.MB, 100 * gigabyte)
    .prefault('2GB')
    .describe('Largest export that a person can upload to import chats: the sum of its files, as `2GB` or `500MB`.'),
});

/** Settings of a running chat service. */
export abstract class ChatSettings {
  abstract readonly outboundAllow: readonly string[];
  abstract readonly openAi: { readonly apiKey: string; readonly baseUrl: string } | null;
  /** Answers that one worker writes at the same time. */
  abstract readonly workerSlots: Required<TurnBounds>;
  /** How long one of them may be written. */
  abstract readonly answerDeadlineMs: number;
  /** What an organisation may store, in bytes, unless a platform admin has set another quota for it. */
  abstract readonly storagePerOrganisation: number;
  /** The files of one import together, in bytes. */
  abstract readonly importMax: number;
  /** Worker roles in this process; 0 makes it an API only. */
  abstract readonly workers: number;
  /** A model that says and thinks no word for this long has stalled. */
  abstract readonly stallMs: number;
  /** A document that is read for longer takes long: of those one is read at a time. */
  abstract readonly quickReadMs: number;
  /** A question waits no longer for its vector: then only its words are searched for. */
  abstract readonly questionVectorMs: number;
  /** Between two requests of a data connection to its web site, unless the site asks for more. */
  abstract readonly crawlPaceMs: number;
  /** Ports of this machine where model servers are looked for; none where this machine is a container. */
  abstract readonly modelServerPorts: {
    readonly ollama?: number;
    readonly 'lm-studio'?: number;
    readonly vllm?: number;
    readonly 'llama-cpp'?: number;
  };
}

/** Settings as read, with what a composition root decides. */
export function chatSettings(
  config: z.infer<typeof chatConfig>,
  decided: Partial<Pick<ChatSettings, 'workers' | 'stallMs' | 'crawlPaceMs' | 'modelServerPorts'>>,
): ChatSettings {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl = 'https://api.openai.com/v1' } = config;
  return {
    outboundAllow: config.PARLEY_OUTBOUND_ALLOW,
    openAi: apiKey === undefined ? null : { apiKey, baseUrl },
    workerSlots: slotsOf(config),
    answerDeadlineMs: config.PARLEY_ANSWER_DEADLINE_MS,
    storagePerOrganisation: Math.round(config.PARLEY_STORAGE_PER_ORGANISATION_GB * gigabyte),
    importMax: config.PARLEY_IMPORT_MAX,
    workers: decided.workers ?? 1,
    stallMs: decided.stallMs ?? 60_000,
    quickReadMs: 10_000,
    questionVectorMs: 400,
    crawlPaceMs: decided.crawlPaceMs ?? 500,
    modelServerPorts: decided.modelServerPorts ?? {},
  };
}

/** By default one flow has half, and one person a tenth. */
function slotsOf({
  PARLEY_WORKER_SLOTS: all,
  PARLEY_SLOTS_OF_A_FLOW: ofFlow = Math.max(1, Math.floor(all / 2)),
  PARLEY_SLOTS_OF_A_PERSON: ofPerson = Math.max(1, Math.floor(all / 10)),
}: z.infer<typeof chatConfig>): Required<TurnBounds> {
  return { all, ofFlow, ofPerson };
}
